// Package outline has the shape of a content database, for reports that draw it: its trees
// node by node, its content sets, and small pictures of their images.
package outline
