//go:build !linux

package main

import "errors"

type affinity struct{}

func newAffinity() (*affinity, error) {
	return nil, errors.New("it takes Linux to give the driver a core")
}

func (*affinity) together([]int) error { return nil }

func (*affinity) apart([]int) error { return nil }
