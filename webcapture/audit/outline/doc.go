// Package outline describes the shape of a content database, for reports that draw it: the nodes of its trees, its
// content sets, and small pictures of their images.
package outline
