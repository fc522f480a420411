package source

// Kind is a kind of source. The js build opens no sources, because their readers are large.
type Kind string
