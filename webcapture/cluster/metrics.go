package cluster

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// workerMeter counts the work of a worker.
type workerMeter struct {
	registry *prometheus.Registry
	inputs   *prometheus.CounterVec
	bytes    prometheus.Counter
	seconds  prometheus.Histogram
	again    prometheus.Counter
}

func newWorkerMeter() *workerMeter {
	m := &workerMeter{
		registry: newRegistry(),
		inputs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "webcap_inputs_total",
			Help: "Audited inputs, by outcome."}, []string{"outcome"}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{Name: "webcap_bytes_total",
			Help: "Bytes of audited inputs."}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "webcap_input_seconds",
			Help:    "Duration of the audit of an input.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 9)}), // buckets up to a minute
		again: prometheus.NewCounter(prometheus.CounterOpts{Name: "webcap_redeliveries_total",
			Help: "Chunks given to a worker more than once."}),
	}
	m.registry.MustRegister(m.inputs, m.bytes, m.seconds, m.again)
	return m
}

func (m *workerMeter) add(rec *report.Record) {
	m.inputs.WithLabelValues(rec.Outcome().String()).Inc()
	m.bytes.Add(float64(rec.Size))
	m.seconds.Observe(rec.Seconds)
}

// newRegistry returns a registry with the default metrics of a process.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// serverRegistry returns a registry with the metrics of a server. Each scrape queries the server.
func serverRegistry(s *server.Server) *prometheus.Registry {
	r := newRegistry()
	gauge := func(name, help string, value func(*server.JSInfo) float64) {
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			info, err := s.Jsz(nil)
			if err != nil {
				return 0
			}
			return value(info)
		}))
	}
	gauge("webcap_store_bytes", "Bytes stored on disk.",
		func(i *server.JSInfo) float64 { return float64(i.Store) })
	gauge("webcap_messages", "Stored chunks and results.",
		func(i *server.JSInfo) float64 { return float64(i.Messages) })
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "webcap_connections",
		Help: "Connected clients."}, func() float64 { return float64(s.NumClients()) }))
	r.MustRegister(newLagCollector(s))
	return r
}

// lagCollector reports the number of waiting chunks of each job, for autoscaling of workers.
type lagCollector struct {
	s             *server.Server
	waiting, held *prometheus.Desc
}

func newLagCollector(s *server.Server) *lagCollector {
	return &lagCollector{s,
		prometheus.NewDesc("webcap_chunks_waiting", "Chunks not taken by any worker.", []string{"job"}, nil),
		prometheus.NewDesc("webcap_chunks_taken", "Chunks held by workers.", []string{"job"}, nil)}
}

// Describe sends the descriptions of the metrics.
func (l *lagCollector) Describe(to chan<- *prometheus.Desc) { to <- l.waiting; to <- l.held }

// Collect sends the metrics. If several servers store a job, only the numbers of the leader are right.
func (l *lagCollector) Collect(to chan<- prometheus.Metric) {
	info, err := l.s.Jsz(&server.JSzOptions{Accounts: true, Streams: true, Consumer: true})
	if err != nil {
		return
	}
	for _, account := range info.AccountDetails {
		for _, stream := range account.Streams {
			job, ok := jobOfStream(stream.Name)
			for _, c := range stream.Consumer {
				if ok && c.Name == consumerName {
					to <- prometheus.MustNewConstMetric(l.waiting, prometheus.GaugeValue, float64(c.NumPending), job)
					to <- prometheus.MustNewConstMetric(l.held, prometheus.GaugeValue, float64(c.NumAckPending), job)
				}
			}
		}
	}
}

// showMetrics serves metrics at an address until ctx is canceled. If the address has no host, it uses loopback.
func showMetrics(ctx context.Context, address string, r *prometheus.Registry, say func(string, ...any)) error {
	if address == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--metrics: %s is not HOST:PORT", address)
	}
	scope := ""
	if host == "" {
		host, scope = loopback, ", for this machine only; --metrics HOST:PORT opens it to others"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return err
	}
	say("metrics at http://%s/metrics%s", l.Addr(), scope)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	s := &http.Server{Handler: mux, ReadHeaderTimeout: patience, WriteTimeout: time.Minute}
	go s.Serve(l)
	context.AfterFunc(ctx, func() { s.Close() })
	return nil
}
