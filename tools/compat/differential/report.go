package differential

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// group is one difference, however often it was found.
type group struct {
	difference
	count, first int
	names        []string
	request      string
}

// report is what was asked, and what was answered otherwise, by the name of
// the API.
type report struct {
	asked  map[string]int
	groups map[string][]*group
}

func newReport() *report { return &report{asked: map[string]int{}, groups: map[string][]*group{}} }

var label = regexp.MustCompile(`\[[^\]]*\]`)

// find returns the group of a difference; nil if it is the first of its kind.
func (r *report) find(api string, one difference) *group {
	for _, g := range r.groups[api] {
		same := g.theirs == one.theirs && g.ours == one.ours || strings.HasSuffix(one.path, "ErrorMessage") && g.theirs == one.theirs
		if same && label.ReplaceAllString(g.path, "") == label.ReplaceAllString(one.path, "") {
			return g
		}
	}
	return nil
}

// known reports whether there is nothing new in what was found.
func (r *report) known(api string, found []difference) bool {
	return !slices.ContainsFunc(found, func(one difference) bool { return r.find(api, one) == nil })
}

// add notes what was found in the answer to a request. before says what else
// that hangs on.
func (r *report) add(number int, q request, before string, found []difference) {
	for n, one := range found {
		if n > 0 && strings.Contains(before, "\n") {
			before = " after the same" // what a whole play asked is read once
		}
		g := r.find(q.api(), one)
		if g == nil {
			g = &group{difference: one, first: number, request: string(q.text()) + before}
			r.groups[q.api()] = append(r.groups[q.api()], g)
		}
		g.count++
		if !slices.Contains(g.names, q.name()) {
			g.names = append(g.names, q.name())
		}
	}
}

// text is the request as it was planned.
func (r request) text() []byte {
	text, err := json.Marshal(r.Request)
	if err != nil {
		return []byte(err.Error())
	}
	return unknownTags.ReplaceAll(text, nil)
}

var unknownTags = regexp.MustCompile(`,?"UnknownTags":\{\}|"[A-Za-z]+":null,`)

// mostShown are the groups that are printed for one API.
const mostShown = 20

// err lists what differs in the answers of an API.
func (r *report) err(api string) error {
	groups := r.groups[api]
	if len(groups) == 0 {
		return nil
	}
	var out strings.Builder
	for _, g := range groups[:min(len(groups), mostShown)] {
		slices.Sort(g.names)
		fmt.Fprintf(&out, "\n     %s\n       kafka   %.300s\n       odradek %.300s\n       %d times, in %s; first request %d, %.12000s", g.path, g.theirs, g.ours, g.count, strings.Join(g.names, ", "), g.first, g.request)
	}
	if more := len(groups) - mostShown; more > 0 {
		fmt.Fprintf(&out, "\n     and %d more", more)
	}
	return errors.New("the answers differ:" + out.String())
}
