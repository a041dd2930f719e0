package raft

import (
	"fmt"

	"github.com/hashicorp/go-hclog"
)

// logger hands what the raft library says to the host. The library calls each
// of its steps an information; to a broker they are details.
type logger struct{ to hclog.Logger }

func (l logger) Debug(v ...any)                   { l.to.Trace(fmt.Sprint(v...)) }
func (l logger) Debugf(format string, v ...any)   { l.to.Trace(fmt.Sprintf(format, v...)) }
func (l logger) Info(v ...any)                    { l.to.Debug(fmt.Sprint(v...)) }
func (l logger) Infof(format string, v ...any)    { l.to.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Warning(v ...any)                 { l.to.Warn(fmt.Sprint(v...)) }
func (l logger) Warningf(format string, v ...any) { l.to.Warn(fmt.Sprintf(format, v...)) }
func (l logger) Error(v ...any)                   { l.to.Error(fmt.Sprint(v...)) }
func (l logger) Errorf(format string, v ...any)   { l.to.Error(fmt.Sprintf(format, v...)) }

// Fatal and Panic must not return: the library has found its own state broken.
func (l logger) Fatal(v ...any)                 { l.Panic(v...) }
func (l logger) Fatalf(format string, v ...any) { l.Panicf(format, v...) }

func (l logger) Panic(v ...any) {
	l.to.Error(fmt.Sprint(v...))
	panic(fmt.Sprint(v...))
}

func (l logger) Panicf(format string, v ...any) { l.Panic(fmt.Sprintf(format, v...)) }
