// Package rule has the types in which rules are written and audits report: [Rule], [Finding], [Fix], [Place], [Level],
// [Unread], [Identity]. It also has the inputs of checks: [Pass], [Tree], [Entry], [Value], [Set], [Links], [Info],
// [Page], [Image], [Member], [Document], and their results, [Found].
//
// Package audit runs rules and returns findings.
package rule
