package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// A mutant is one change of the source.
type mutant struct {
	id         int // number, from 1
	pos        token.Position
	fn         string // function with its receiver; "var" outside of functions
	from, to   string // text before and after the change, on one line
	occurrence int    // number, from 1, among mutants of the package with the same text
	equivalent bool

	tests []*test // tests in which the mutant would make a difference
	state state
	by    string // name of the test, or reason, that killed the mutant
}

// key returns the name of a mutant in the list of equivalent mutants. It has no line number, because line numbers
// change with each edit.
func (m *mutant) key() string {
	k := fmt.Sprintf("%s: %s -> %s", m.fn, m.from, m.to)
	if m.occurrence > 1 {
		k += fmt.Sprintf(" #%d", m.occurrence)
	}
	return k
}

// A rewriter adds all mutants of a file to the text of the file. Each mutant is behind a condition that is true if this
// mutant was chosen.
type rewriter struct {
	fset    *token.FileSet
	file    *ast.File
	src     []byte
	info    *types.Info
	mutants *[]*mutant
	edits   []edit // sorted by offset; edits do not overlap
	scopes  []scope
}

// An edit is a range of the source, and the text that replaces it.
type edit struct {
	start, end int
	text       string
}

// A scope is a statement or function that may be left by break, continue or return.
type scope struct {
	node  ast.Node
	label string
}

func (r *rewriter) rewrite() string {
	astutil.Apply(r.file, r.enter, r.leave)
	return r.between(r.file.FileStart, r.file.FileEnd)
}

func (r *rewriter) offset(p token.Pos) int { return r.fset.Position(p).Offset }

// between returns the source between two positions, with the edits made so far.
func (r *rewriter) between(from, to token.Pos) string {
	var b strings.Builder
	at, end := r.offset(from), r.offset(to)
	for _, e := range r.edits {
		if e.start >= at && e.end <= end {
			b.Write(r.src[at:e.start])
			b.WriteString(e.text)
			at = e.end
		}
	}
	b.Write(r.src[at:end])
	return b.String()
}

func (r *rewriter) text(n ast.Node) string { return r.between(n.Pos(), n.End()) }

// replace replaces n by a text. The text must include the edits inside n.
func (r *rewriter) replace(n ast.Node, format string, args ...any) {
	e := edit{r.offset(n.Pos()), r.offset(n.End()), fmt.Sprintf(format, args...)}
	r.edits = slices.DeleteFunc(r.edits, func(inner edit) bool { return inner.start >= e.start && inner.end <= e.end })
	i, _ := slices.BinarySearchFunc(r.edits, e, func(a, b edit) int { return a.start - b.start })
	r.edits = slices.Insert(r.edits, i, e)
}

// add makes a mutant at n and returns its number.
func (r *rewriter) add(n ast.Node, from, to string) int {
	m := &mutant{id: len(*r.mutants) + 1, pos: r.fset.Position(n.Pos()), fn: r.function(), from: oneLine(from),
		to: oneLine(to), occurrence: 1}
	for _, other := range *r.mutants {
		if other.fn == m.fn && other.from == m.from && other.to == m.to {
			m.occurrence++
		}
	}
	*r.mutants = append(*r.mutants, m)
	return m.id
}

func oneLine(s string) string {
	const most = 160
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = s[:most] + "…"
	}
	return s
}

// original returns the original source of n, without edits.
func (r *rewriter) original(n ast.Node) string {
	return string(r.src[r.offset(n.Pos()):r.offset(n.End())])
}

func (r *rewriter) function() string {
	for _, s := range r.scopes {
		if d, ok := s.node.(*ast.FuncDecl); ok {
			return functionName(d)
		}
	}
	return "var"
}

func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	switch g := t.(type) {
	case *ast.IndexExpr:
		t = g.X
	case *ast.IndexListExpr:
		t = g.X
	}
	return types.ExprString(t) + "." + d.Name.Name
}

// enter returns false for nodes that are not mutated, such as constants and String methods.
func (r *rewriter) enter(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.GenDecl:
		if n.Tok == token.CONST || n.Tok == token.IMPORT || n.Tok == token.TYPE {
			return false
		}
	case *ast.FuncDecl:
		if n.Recv != nil && (n.Name.Name == "String" || n.Name.Name == "GoString") {
			return false
		}
		r.scopes = append(r.scopes, scope{node: n})
	case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		s := scope{node: n}
		if l, ok := c.Parent().(*ast.LabeledStmt); ok {
			s.label = l.Label.Name
		}
		r.scopes = append(r.scopes, s)
	}
	return true
}

func (r *rewriter) leave(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.BinaryExpr:
		r.binary(n)
	case *ast.IfStmt:
		r.branch(n.Cond, "if")
	case *ast.SwitchStmt:
		if n.Tag == nil {
			r.cases(n)
		}
	case *ast.ReturnStmt:
		r.returned(n)
	case ast.Stmt:
		if inList(c) {
			r.statement(n)
		}
	}
	switch c.Node().(type) {
	case *ast.FuncDecl, *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt,
		*ast.SelectStmt:
		r.scopes = r.scopes[:len(r.scopes)-1]
	}
	return true
}

// inList reports whether a statement is an element of a statement list. Other statements, such as the init statement of
// a for, if, or switch, cannot become an if statement.
func inList(c *astutil.Cursor) bool {
	return c.Index() >= 0 && (c.Name() == "List" || c.Name() == "Body")
}

// typeOf returns the type of an expression, or nil if the expression is a constant.
func (r *rewriter) typeOf(e ast.Expr) types.Type {
	if tv := r.info.Types[e]; tv.Value == nil {
		return tv.Type
	}
	return nil
}

func isBool(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

var (
	boundary = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ,
		token.GEQ: token.GTR}
	negation = map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ,
		token.GEQ: token.LSS, token.EQL: token.NEQ, token.NEQ: token.EQL}
	connective = map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}
	arithmetic = map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO,
		token.QUO: token.MUL, token.REM: token.MUL}
	helpers = map[token.Token]string{
		token.LSS: "Less", token.LEQ: "LessEqual", token.GTR: "Greater", token.GEQ: "GreaterEqual",
		token.ADD: "Add", token.SUB: "Subtract", token.MUL: "Multiply", token.QUO: "Divide", token.REM: "Remainder",
	}
)

func (r *rewriter) binary(n *ast.BinaryExpr) {
	t := r.typeOf(n)
	if t == nil {
		return
	}
	switch {
	case connective[n.Op] != 0 && isBool(t):
		// Not (not a and not b) is a or b, and stops as early.
		id := r.addBinary(n, connective[n.Op])
		r.replace(n, "((((%[1]s) != mutantOn(%[2]d)) %[3]s ((%[4]s) != mutantOn(%[2]d))) != mutantOn(%[2]d))",
			r.text(n.X), id, n.Op, r.text(n.Y))
	case negation[n.Op] != 0:
		r.comparison(n)
	case arithmetic[n.Op] != 0 && isNumber(t):
		if explicit, ok := r.instance(t, n.X, n.Y); ok {
			id := r.addBinary(n, arithmetic[n.Op])
			r.replace(n, "mutant%s%s(%d, %s, %s)", helpers[n.Op], explicit, id, r.text(n.X), r.text(n.Y))
		}
	}
}

func (r *rewriter) addBinary(n *ast.BinaryExpr, op token.Token) int {
	return r.add(n, r.original(n), r.original(n.X)+" "+op.String()+" "+r.original(n.Y))
}

func (r *rewriter) comparison(n *ast.BinaryExpr) {
	compared := fmt.Sprintf("(%s %s %s)", r.text(n.X), n.Op, r.text(n.Y))
	operand := r.info.TypeOf(n.X)
	if isUntyped(operand) {
		operand = r.info.TypeOf(n.Y)
	}
	if explicit, ok := r.instance(operand, n.X, n.Y); ok && boundary[n.Op] != 0 {
		id := r.addBinary(n, boundary[n.Op])
		compared = fmt.Sprintf("mutant%s%s(%d, %s, %s)", helpers[n.Op], explicit, id, r.text(n.X), r.text(n.Y))
	}
	r.replace(n, "(%s != mutantOn(%d))", compared, r.addBinary(n, negation[n.Op]))
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// instance returns the type arguments to write after the name of a helper for values of type t. They are empty for
// named types, which are inferred. It returns false if no helper can be used: for example, a shift of a constant
// prevents inference.
func (r *rewriter) instance(t types.Type, operands ...ast.Expr) (string, bool) {
	if _, parameter := types.Unalias(t).(*types.TypeParam); parameter || isUntyped(t) {
		return "", false
	}
	if b, ok := types.Unalias(t).(*types.Basic); ok {
		return "[" + b.Name() + "]", true
	}
	if slices.ContainsFunc(operands, isShift) {
		return "", false
	}
	_, ok := t.Underlying().(*types.Basic)
	return "", ok
}

func isShift(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.SHL || b.Op == token.SHR) {
			found = true
		}
		return !found
	})
	return found
}

// branch adds two mutants of a condition: always false, and always true.
func (r *rewriter) branch(cond ast.Expr, keyword string) {
	if t := r.typeOf(cond); t == nil || !isBool(t) {
		return
	}
	from := keyword + " " + r.original(cond)
	always := r.add(cond, from, keyword+" true")
	never := r.add(cond, from, keyword+" false")
	r.replace(cond, "mutantBranch(%d, %d, %s)", always, never, r.text(cond))
}

func (r *rewriter) cases(n *ast.SwitchStmt) {
	for _, clause := range n.Body.List {
		for _, cond := range clause.(*ast.CaseClause).List {
			r.branch(cond, "case")
		}
	}
}

var errorType = types.Universe.Lookup("error").Type()

// returned adds mutants of a return statement that invert booleans and errors.
func (r *rewriter) returned(n *ast.ReturnStmt) {
	results := r.results()
	if results.Len() != len(n.Results) {
		return
	}
	for i, e := range n.Results {
		switch t := results.At(i).Type(); {
		case isBool(t):
			r.returnedBool(e)
		case types.Identical(t, errorType):
			r.returnedError(e)
		}
	}
}

func (r *rewriter) results() *types.Tuple {
	for _, s := range slices.Backward(r.scopes) {
		switch f := s.node.(type) {
		case *ast.FuncDecl:
			return r.info.Defs[f.Name].Type().(*types.Signature).Results()
		case *ast.FuncLit:
			return r.info.TypeOf(f).(*types.Signature).Results()
		}
	}
	return nil
}

func (r *rewriter) returnedBool(e ast.Expr) {
	if _, compared := ast.Unparen(e).(*ast.BinaryExpr); compared {
		return // the expression has its own mutants
	}
	from := r.original(e)
	to := map[string]string{"true": "false", "false": "true"}[from]
	if to == "" {
		to = "!(" + from + ")"
	}
	id := r.add(e, "return "+from, "return "+to)
	r.replace(e, "((%s) != mutantOn(%d))", r.text(e), id)
}

func (r *rewriter) returnedError(e ast.Expr) {
	from := r.original(e)
	if r.info.Types[e].IsNil() {
		r.replace(e, "mutantError(%d)", r.add(e, "return "+from, `return errors.New("mutant")`))
		return
	}
	r.replace(e, "mutantNoError(%d, %s)", r.add(e, "return "+from, "return nil"), r.text(e))
}

func (r *rewriter) statement(s ast.Stmt) {
	switch n := s.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && r.mayBeRemoved(call) {
			r.remove(n)
		}
	case *ast.AssignStmt:
		r.assignment(n)
	case *ast.IncDecStmt:
		swapped := map[token.Token]token.Token{token.INC: token.DEC, token.DEC: token.INC}[n.Tok]
		r.swap(n, r.original(n.X)+swapped.String(), r.text(n.X)+swapped.String())
	case *ast.BranchStmt:
		r.jump(n)
	}
}

func (r *rewriter) remove(s ast.Stmt) {
	id := r.add(s, r.original(s), "(nothing)")
	r.replace(s, "if !mutantOn(%d) { %s }", id, r.text(s))
}

// swap adds a mutant that replaces the statement s. changed is the source of the replacement, and text the same with
// the mutants inside.
func (r *rewriter) swap(s ast.Stmt, changed, text string) {
	id := r.add(s, r.original(s), changed)
	r.replace(s, "if mutantOn(%d) { %s } else { %s }", id, text, r.text(s))
}

// mayBeRemoved reports whether a mutant may remove a call. It is false for calls that end a function, and for locks:
// only the race detector would notice a missing lock.
func (r *rewriter) mayBeRemoved(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name != "panic"
	case *ast.SelectorExpr:
		return !slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock", "Exit", "Goexit"}, f.Sel.Name)
	}
	return true
}

func (r *rewriter) assignment(n *ast.AssignStmt) {
	swapped := map[token.Token]token.Token{token.ADD_ASSIGN: token.SUB_ASSIGN,
		token.SUB_ASSIGN: token.ADD_ASSIGN}[n.Tok]
	switch {
	case n.Tok == token.DEFINE || holdsFunction(n) && swapped != 0:
	case swapped != 0 && isNumber(r.info.TypeOf(n.Lhs[0])):
		x, y := n.Lhs[0], n.Rhs[0]
		r.swap(n, fmt.Sprint(r.original(x), " ", swapped, " ", r.original(y)),
			fmt.Sprint(r.text(x), " ", swapped, " ", r.text(y)))
	case !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return r.original(e) != "_" }):
	default:
		r.remove(n)
	}
}

func holdsFunction(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			found = true
		}
		return !found
	})
	return found
}

// jump adds a mutant that exchanges break and continue, if the jump leaves a loop.
func (r *rewriter) jump(n *ast.BranchStmt) {
	other := map[token.Token]token.Token{token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK}[n.Tok]
	loop := r.leftBy(n)
	if other == 0 || loop == nil {
		return
	}
	if f, ok := loop.(*ast.ForStmt); ok && f.Cond == nil && other == token.BREAK {
		return // an infinite loop may be the last statement of a function
	}
	label := ""
	if n.Label != nil {
		label = " " + n.Label.Name
	}
	id := r.add(n, r.original(n), other.String()+label)
	r.replace(n, "{ if mutantOn(%d) { %s%s }; %s }", id, other, label, r.original(n))
}

// leftBy returns the loop to which a break or continue refers. It returns nil if this is not a loop, or if the opposite
// jump would refer to another statement.
func (r *rewriter) leftBy(n *ast.BranchStmt) ast.Node {
	for _, s := range slices.Backward(r.scopes) {
		if n.Label == nil || n.Label.Name == s.label {
			switch s.node.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				return s.node
			}
			return nil
		}
	}
	return nil
}
