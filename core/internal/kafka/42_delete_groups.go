package kafka

import "github.com/twmb/franz-go/pkg/kmsg"

// deleteGroupsAPI is DeleteGroups: groups without members go, with their
// offsets. Version 2 is flexible, and version 3 has messages.
func deleteGroupsAPI() *api {
	return aboutGroups(api{key: 42, name: "DeleteGroups", min: 0, max: 3, flexibleFrom: 2}, splitDeleteGroups, joinDeleteGroups,
		`groups:[string]`)
}

// splitDeleteGroups has a group that is named twice once.
func splitDeleteGroups(q *kmsg.DeleteGroupsRequest) []groupPart {
	var unique []string
	seen := map[string]bool{}
	for _, id := range q.Groups {
		if !seen[id] {
			unique = append(unique, id)
		}
		seen[id] = true
	}
	return partOfEach(unique, func(one []string) kmsg.Request {
		return &kmsg.DeleteGroupsRequest{Version: q.Version, Groups: one}
	})
}

func joinDeleteGroups(_ *kmsg.DeleteGroupsRequest, parts []kmsg.Response) kmsg.Response {
	response := kmsg.NewPtrDeleteGroupsResponse()
	for _, part := range parts {
		response.Groups = append(response.Groups, part.(*kmsg.DeleteGroupsResponse).Groups...)
	}
	return response
}
