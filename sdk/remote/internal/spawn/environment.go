package spawn

import "os"

// What a child finds in its environment beside what go-plugin sets.
const (
	// EnvLifeline has the number of the descriptor whose end of file says that
	// the host is gone.
	EnvLifeline = "ODRADEK_LIFELINE_FD"
	// EnvFrames has the number of the socket for framed calls; absent if the
	// host does not offer them.
	EnvFrames = "ODRADEK_FRAMES_FD"
	// EnvSocketDir is the folder that goes when the child goes.
	EnvSocketDir = "ODRADEK_SOCKET_DIR"
)

// inherited is all that a child gets of its host's environment. The rest may
// be secrets that a module has no business with.
var inherited = []string{
	"PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR",
	"GOMAXPROCS", "GOMEMLIMIT", "GODEBUG", "GOTRACEBACK", "GOCOVERDIR",
}

func inheritedEnvironment() []string {
	var env []string
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
