// Package body reads the lines that `assay vectors run` gives to an adapter, and prints its answers.
package body

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Members of a body by name; Text reads those that have to be texts.
type Members map[string]any

// Answer is a line of the adapter: Valid, Error or Skip.
type Answer struct {
	ID     any      `json:"id,omitempty"`
	Valid  *bool    `json:"valid,omitempty"`
	Why    string   `json:"why,omitempty"`
	Error  string   `json:"error,omitempty"`
	Skip   string   `json:"skip,omitempty"`
	Unread []string `json:"unread,omitempty"`
}

// Verdict is the answer of a library that returned this error, and read no policy.
func Verdict(err error) Answer {
	valid := err == nil
	answer := Answer{Valid: &valid, Unread: []string{"tpm_policy", "runtime_policy", "mb_policy"}}
	if err != nil {
		answer.Why = err.Error()
	}
	return answer
}

// Each answers every line of the standard input.
func Each(judge func(Members) Answer) {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var members Members
		answer := Answer{Error: "not a JSON object"}
		if json.Unmarshal(line, &members) == nil {
			answer = judge(members)
			answer.ID = members["id"]
		}
		out.Encode(answer)
	}
}

// Base64 decodes a member.
func (m Members) Base64(name string) ([]byte, error) {
	text, ok := m[name].(string)
	if !ok {
		return nil, fmt.Errorf("%s is not a text", name)
	}
	return base64.StdEncoding.DecodeString(text)
}

// Quote returns message, signature and PCR values of a quote.
func (m Members) Quote() (parts [3][]byte, err error) {
	text, _ := m["quote"].(string)
	pieces := strings.Split(strings.TrimPrefix(text, "r"), ":")
	if !strings.HasPrefix(text, "r") || len(pieces) != 3 {
		return parts, errors.New("not r, and three parts with colons between them")
	}
	for at, piece := range pieces {
		if parts[at], err = base64.StdEncoding.DecodeString(piece); err != nil {
			return parts, err
		}
	}
	return parts, nil
}
