import HTTPTypes

extension APIEndpoint {
    static let notificationGroups: [APIEndpoint] = [
        reading("/api/v2/notifications", .entity(.notificationGroups)),
        reading("/api/v2/notifications?expand_accounts=partial_avatars", .entity(.notificationGroups)),
        reading(
            "/api/v2/notifications?types[]=favourite&exclude_types[]=follow&grouped_types[]=reblog&account_id={bob}"
                + "&include_filtered=true&expand_accounts=full", .entity(.notificationGroups)),
        .init(
            .get, "/api/v2/notifications", .person(scope: "read:notifications"), .entity(.notificationGroups),
            viewer: "root"),
        .init(
            .get, "/api/v1/notifications", .person(scope: "read:notifications"), .list(.entity(.notification)),
            viewer: "root"),
        reading("/api/v2/notifications/unread_count?limit=5", .entity(.unreadCount)),
        reading("/api/v2/notifications/{group}", .entity(.notificationGroups)),
        reading("/api/v2/notifications/{group}/accounts", .list(.entity(.account))),
        .init(
            .post, "/api/v2/notifications/{group}/dismiss", .person(scope: "write:notifications"), .emptyObject),
    ]

    static let notificationPolicy: [APIEndpoint] = [
        reading("/api/v1/notifications/policy", .entity(.notificationPolicyV1)),
        reading("/api/v2/notifications/policy", .entity(.notificationPolicy)),
        policy(.patch, "v1", .notificationPolicyV1, "filter_new_accounts=false"),
        policy(.put, "v1", .notificationPolicyV1, "filter_not_following=false"),
        policy(.patch, "v2", .notificationPolicy, "for_new_accounts=accept&for_not_following=accept"),
        policy(.put, "v2", .notificationPolicy, "for_limited_accounts=accept"),
        reading("/api/v1/notifications/requests", .emptyList),
        reading("/api/v1/notifications/requests/merged", .object(["merged": .must(.flag)])),
        .init(
            .post, "/api/v1/notifications/requests/accept", .person(scope: "write:notifications"), .emptyObject,
            form: "id[]=1"),
        .init(
            .post, "/api/v1/notifications/requests/dismiss", .person(scope: "write:notifications"), .emptyObject,
            form: "id[]=1"),
    ]

    private static func reading(_ path: String, _ shape: Shape) -> APIEndpoint {
        .init(.get, path, .person(scope: "read:notifications"), shape)
    }

    private static func policy(
        _ method: HTTPRequest.Method, _ version: String, _ entity: EntityShape, _ form: String
    ) -> APIEndpoint {
        .init(
            method, "/api/\(version)/notifications/policy", .person(scope: "write:notifications"), .entity(entity),
            form: form)
    }
}
