package show

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

const maxBars = 60 // bars of a timeline

// A timelineBar represents the captures of a day, a month, or some years.
type timelineBar struct {
	Name              string
	Count             int
	X, Y, Width, High float64 // in a box of 100 × 20
}

// timeline returns bars for the captures by day, by month, or by a number of years, so that there are few bars. It
// omits bars without captures, and returns no bars if only one is left.
func timeline(days map[int64]int) []timelineBar {
	if len(days) == 0 {
		return nil
	}
	sorted := slices.Sorted(maps.Keys(days))
	first, last := dayOf(sorted[0]), dayOf(sorted[len(sorted)-1])
	months := func(t time.Time) int { return 12*t.Year() + int(t.Month()) - 1 }
	slot := func(t time.Time) int { return int(t.Sub(first).Hours() / 24) }
	name := func(t time.Time) string { return t.Format(time.DateOnly) }
	switch years := (last.Year()-first.Year())/maxBars + 1; {
	case months(last)-months(first) >= maxBars:
		slot = func(t time.Time) int { return (t.Year() - first.Year()) / years }
		name = func(t time.Time) string {
			from := first.Year() + slot(t)*years
			if years == 1 {
				return fmt.Sprintf("%04d", from)
			}
			return fmt.Sprintf("%04d to %04d", from, from+years-1)
		}
	case slot(last) >= maxBars:
		slot = func(t time.Time) int { return months(t) - months(first) }
		name = func(t time.Time) string { return t.Format("2006-01") }
	}
	slots := slot(last) + 1
	if slots == 1 {
		return nil
	}
	var bars []timelineBar
	most, width := 0, 100/float64(slots)
	for _, day := range sorted {
		t := dayOf(day)
		x := float64(slot(t)) * width
		if n := len(bars); n == 0 || bars[n-1].X != x {
			bars = append(bars, timelineBar{Name: name(t), X: x, Width: 0.9 * width})
		}
		b := &bars[len(bars)-1]
		b.Count += days[day]
		most = max(most, b.Count)
	}
	for i := range bars {
		bars[i].High = max(20*float64(bars[i].Count)/float64(most), 0.5)
		bars[i].Y = 20 - bars[i].High
	}
	return bars
}
