package module_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"odradek.dev/sdk/module"
)

type everyType struct {
	Text  string           `setting:"text" doc:"text"`
	Flag  bool             `setting:"flag" doc:"flag"`
	Whole int              `setting:"whole" doc:"whole"`
	Count uint32           `setting:"count" doc:"count"`
	Part  float64          `setting:"part" doc:"part"`
	Wait  time.Duration    `setting:"wait" doc:"wait"`
	List  []int32          `setting:"list" doc:"list"`
	Lists map[string][]int `setting:"lists" doc:"lists"`
}

func (everyType) Validate() error { return nil }

func check(raw map[string]any) error {
	d := module.Descriptor{Kind: module.Codec, Name: "every", Version: "1.0.0"}
	return module.NewFactory(d, func() everyType { return everyType{} }, func(module.Env, everyType) (int, error) { return 0, nil }).Check(raw)
}

func TestSettingsOfAnotherTypeAreRefusedOnOneLine(t *testing.T) {
	for message, raw := range map[string]map[string]any{
		"text is 7; it must be text":                                                       {"text": 7},
		"flag is 12; it must be true or false":                                             {"flag": 12},
		`flag is "yep"; it must be true or false`:                                          {"flag": "yep"},
		`whole is "many"; it must be a whole number`:                                       {"whole": "many"},
		"whole is 1.5; it must be a whole number":                                          {"whole": 1.5},
		"whole is [1 2]; it must be a whole number":                                        {"whole": []any{1, 2}},
		"count is -1; it must be a whole number from 0 to 4294967295":                      {"count": -1},
		"count is 4294967296; it must be a whole number from 0 to 4294967295":              {"count": 1 << 32},
		`count is "4294967296"; it must be a whole number from 0 to 4294967295`:            {"count": "4294967296"},
		"count is true; it must be a whole number from 0 to 4294967295":                    {"count": true},
		"list[0] is 2147483648; it must be a whole number from -2147483648 to 2147483647":  {"list": []any{uint64(1 << 31)}},
		"part is false; it must be a number":                                               {"part": false},
		`part is "half"; it must be a number`:                                              {"part": "half"},
		`wait is 250; it must be a duration with its unit, as in "250ms"`:                  {"wait": 250},
		`wait is "soon"; it must be a duration with its unit, as in "250ms"`:               {"wait": "soon"},
		`list[1] is "b"; it must be a whole number from -2147483648 to 2147483647`:         {"list": []any{1, "b"}},
		`lists is "eu"; it must be a mapping`:                                              {"lists": "eu"},
		`lists[eu][0] is "a"; it must be a whole number`:                                   {"lists": map[string]any{"eu": []any{"a"}}},
		`flag is 12; it must be true or false; whole is "many"; it must be a whole number`: {"whole": "many", "flag": 12},
	} {
		err := check(raw)
		require.EqualError(t, err, message, "%v", raw)
		require.Equal(t, module.Invalid, module.ClassOf(err))
	}
}

func TestSettingsAreTakenFromText(t *testing.T) {
	require.NoError(t, check(map[string]any{"flag": "true", "whole": "12", "count": "3", "part": "0.5", "wait": "250ms"}))
	require.NoError(t, check(map[string]any{"whole": 2.0, "lists": map[string]any{"eu": []any{1, 2}}}))
}
