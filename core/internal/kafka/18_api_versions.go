package kafka

import (
	"regexp"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// apiVersionsAPI is ApiVersions. It is the first that a client sends, and may
// be of a version that this broker has never heard of: that is answered as
// version 0, with the error and with the versions of ApiVersions itself, so that
// the client can try again (KIP-511). A refusal of another kind says nothing
// else.
//
//	v3 name and version of the client's software; features (features.go)
//	v4 also features that begin at level 0; clients of version 3 take such a
//	   range for broken
//	v5 the cluster and node that the client means to speak to (KIP-1242)
func apiVersionsAPI(t *table) *api {
	handle := func(c *connection, r *request) error { return apiVersions(t, c, r) }
	return checked(api{key: apiVersionsKey, name: "ApiVersions", min: 0, max: 5, flexibleFrom: 3}, handle,
		`software:string@3+ software_version:string@3+ cluster:string?@5+ node:int32@5+`)
}

const apiVersionsKey = 18

var softwareShape = regexp.MustCompile(`^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?$`)

func apiVersions(t *table, c *connection, r *request) error {
	response := kmsg.NewPtrApiVersionsResponse()
	c.callerOf(r)
	if r.versionFailed {
		r.version = 0
		response.ErrorCode = kerr.UnsupportedVersion.Code
		response.ApiKeys = advertised(r.api)
	} else {
		q := kmsg.NewPtrApiVersionsRequest()
		q.SetVersion(r.version)
		if err := q.ReadFrom(r.body); err != nil {
			return malformed(r, err)
		}
		if response.ErrorCode = c.introduce(q); response.ErrorCode == 0 {
			response.ApiKeys = advertised(t.rows...)
			addFeatures(response, c.server.backend.Controller.Image(), r.version)
		}
	}
	response.SetVersion(r.version)
	out := c.begin(r)
	out.buf = response.AppendTo(out.buf)
	return c.answered(r, out)
}

// introduce takes note of what the client says it is, and refuses one that
// means another cluster or node.
func (c *connection) introduce(q *kmsg.ApiVersionsRequest) int16 {
	if q.Version >= 3 {
		if !softwareShape.MatchString(q.ClientSoftwareName) || !softwareShape.MatchString(q.ClientSoftwareVersion) {
			return kerr.InvalidRequest.Code
		}
		c.caller.Software, c.caller.SoftwareVersion = q.ClientSoftwareName, q.ClientSoftwareVersion
	}
	if q.Version < 5 {
		return 0
	}
	if (q.ClusterID == nil) != (q.NodeID == -1) {
		return kerr.InvalidRequest.Code
	}
	b := c.server.backend
	if q.ClusterID != nil && (*q.ClusterID != b.Controller.Image().ClusterID() || q.NodeID != b.Config.NodeID) {
		return kerr.RebootstrapRequired.Code
	}
	return 0
}

func advertised(rows ...*api) []kmsg.ApiVersionsResponseApiKey {
	keys := make([]kmsg.ApiVersionsResponseApiKey, 0, len(rows))
	for _, a := range rows {
		key := kmsg.NewApiVersionsResponseApiKey()
		key.ApiKey, key.MinVersion, key.MaxVersion = a.key, a.advertisedMin, a.max
		keys = append(keys, key)
	}
	return keys
}
