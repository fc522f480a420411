// Package rule has the words in which rules are written and audits report: [Rule], [Finding],
// [Fix], [Place], [Level], [Unread], [Identity], and what checks are given to look at: [Pass],
// [Tree], [Entry], [Value], [Set], [Links], [Info], [Page], [Image], [Member], [Document].
//
// Package audit runs rules and returns findings.
package rule
