package main

import "syscall/js"

// main answers calls of the page. The page ends the worker.
func main() {
	js.Global().Set("webcap", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, phase, done := []byte(args[0].String()), args[1], args[2]
		go func() {
			answer := call(text, func(what string) { phase.Invoke(what) })
			done.Invoke(string(answer))
		}()
		return nil
	}))
	js.Global().Call("webcapReady")
	select {}
}
