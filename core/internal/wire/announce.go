package wire

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// announce is the one line that says what has started, and one more for what
// was set in vain.
func (a *App) announce() {
	p := a.parts
	var listeners, modules []string
	for _, l := range p.broker.Listeners {
		listeners = append(listeners, fmt.Sprintf("%s at %s, clients are told %s", l.Name,
			net.JoinHostPort(l.Host, strconv.Itoa(int(l.Port))), net.JoinHostPort(l.AdvertisedHost, strconv.Itoa(int(l.AdvertisedPort)))))
	}
	for _, c := range a.choices {
		modules = append(modules, fmt.Sprintf("%s (%s)", c.ID(), c.Binding))
	}
	admin := p.sockets.adminAddress()
	if admin == "" {
		admin = "none"
	}
	p.log.Info("broker started",
		"node", p.broker.NodeID,
		"cluster", p.control.controller.Image().ClusterID(),
		"listeners", strings.Join(listeners, "; "),
		"admin", admin,
		"log.dirs", strings.Join(p.broker.LogDirs, ","),
		"modules", strings.Join(modules, ", "))
	if len(a.config.WithoutEffect) > 0 {
		p.log.Warn("some of what is set has no effect yet", "names", strings.Join(a.config.WithoutEffect, ", "))
	}
}
