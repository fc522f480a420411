package main

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

// The size of the chart and of its plot, in pixels.
const (
	chartWidth, chartHeight  = 720, 440
	left, right, top, bottom = 70, 520, 20, 390
)

const dashed = ` stroke-dasharray="6 4"`

var colors = []string{"#0b6e4f", "#c8553d", "#3d5a99", "#8d5a97", "#b8860b", "#555555"}

// A plot maps sizes and times to pixels. Its limits are logarithms.
type plot struct{ minX, maxX, minY, maxY float64 }

// newPlot returns a plot with room for all cells that were run.
func newPlot(rows []*row) plot {
	p := plot{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, row := range rows {
		for _, c := range row.cells {
			if c.runs > 0 {
				x, y := math.Log10(float64(c.items)), math.Log10(c.cpu.Seconds())
				p.minX, p.maxX = min(p.minX, x), max(p.maxX, x)
				p.minY, p.maxY = min(p.minY, math.Floor(y)), max(p.maxY, math.Ceil(y))
			}
		}
	}
	return p
}

func (p plot) x(v float64) float64 { return left + (v-p.minX)/max(p.maxX-p.minX, 1e-9)*(right-left) }
func (p plot) y(v float64) float64 { return bottom - (v-p.minY)/max(p.maxY-p.minY, 1e-9)*(bottom-top) }

// axes returns lines at powers of ten, with their labels.
func (p plot) axes() string {
	var b strings.Builder
	for x := math.Ceil(p.minX); x <= p.maxX; x++ {
		fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#dddddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n",
			p.x(x), top, bottom, p.x(x), bottom+20, thousands(int(math.Pow(10, x))))
	}
	for y := p.minY; y <= p.maxY; y++ {
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#dddddd"/><text x="%d" y="%.1f" text-anchor="end">%s s</text>`+"\n",
			left, p.y(y), right, left-8, p.y(y)+4, fmt.Sprint(math.Pow(10, y)))
	}
	return b.String()
}

// points returns the points of a row; none if it was not run.
func (p plot) points(r *row) (list []string) {
	for _, c := range r.cells {
		if c.runs > 0 {
			x, y := math.Log10(float64(c.items)), math.Log10(c.cpu.Seconds())
			list = append(list, fmt.Sprintf("%.1f %.1f", p.x(x), p.y(y)))
		}
	}
	return list
}

// chart returns an SVG chart of the times of audits by size, with logarithmic axes. Dashed lines are for object
// streams.
func chart(results []*result) string {
	var rows []*row
	for _, r := range results {
		if len(r.columns) > 1 { // the question has several sizes
			rows = append(rows, r.rows...)
		}
	}
	p := newPlot(rows)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`+"\n",
		chartWidth, chartHeight)
	b.WriteString("<title>Processor time by the number of content sets</title>\n" +
		`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n" + p.axes())
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">content sets</text>`+"\n", (left+right)/2, bottom+42)
	label, color := top+10, map[string]string{}
	legend := func(style, text string) {
		fmt.Fprintf(&b, `<path d="M%d %dh24" stroke-width="2" %s/><text x="%d" y="%d">%s</text>`+"\n", right+20, label, style,
			right+52, label+4, escapeXML(text))
		label += 22
	}
	for _, row := range rows {
		points := p.points(row)
		if points == nil {
			continue
		}
		name, _, _ := strings.Cut(row.name, ":")
		if color[name] == "" {
			color[name] = colors[len(color)%len(colors)]
			legend(fmt.Sprintf(`stroke="%s"`, color[name]), name)
		}
		dash := ""
		if strings.HasSuffix(row.name, inStreams) {
			dash = dashed
		}
		fmt.Fprintf(&b, `<path d="M%s" fill="none" stroke="%s" stroke-width="2"%s/>`+"\n",
			strings.Join(points, "L"), color[name], dash)
	}
	legend(`stroke="#000000"`+dashed, strings.TrimPrefix(inStreams, ", "))
	return b.String() + "</svg>\n"
}

func escapeXML(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s))
	return b.String()
}
