package webcapturetest

// decodingBombs are small files with streams that become large when they are decoded.
func decodingBombs() []Bomb { return nil }
