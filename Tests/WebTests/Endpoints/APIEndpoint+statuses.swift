import HTTPTypes

extension APIEndpoint {
    static let polls: [APIEndpoint] = [
        .init(.get, "/api/v1/polls/{poll}", .anyoneOr(scope: "read:statuses"), .entity(.poll)),
        .init(
            .post, "/api/v1/polls/{poll}/votes", .person(scope: "write:statuses"), .entity(.poll), form: "choices[]=0"),
    ]
}

extension APIEndpoint {
    static let scheduledStatuses: [APIEndpoint] = [
        .init(
            .get, "/api/v1/scheduled_statuses", .person(scope: "read:statuses"), .list(.entity(.scheduledStatus))),
        .init(
            .get, "/api/v1/scheduled_statuses/{scheduled}", .person(scope: "read:statuses"), .entity(.scheduledStatus)),
        .init(
            .put, "/api/v1/scheduled_statuses/{scheduled}", .person(scope: "write:statuses"),
            .entity(.scheduledStatus), form: "scheduled_at=2098-12-31T12%3A00%3A00Z"),
        .init(.delete, "/api/v1/scheduled_statuses/{canceled}", .person(scope: "write:statuses"), .emptyObject),
    ]
}

extension APIEndpoint {
    static let media: [APIEndpoint] = [
        .init(
            .post, "/api/v1/media", .person(scope: "write:media"), .entity(.mediaAttachment),
            form: "file_name=photo.png&description=a+photo&focus=0.5%2C-0.5"),
        .init(
            .post, "/api/v2/media", .person(scope: "write:media"), .entity(.mediaAttachment),
            form: "file_name=photo.png"),
        .init(.get, "/api/v1/media/{media}", .person(scope: "write:media"), .entity(.mediaAttachment)),
        .init(
            .put, "/api/v1/media/{media}", .person(scope: "write:media"), .entity(.mediaAttachment),
            form: "description=changed"),
        .init(.delete, "/api/v1/media/{media}", .person(scope: "write:media"), .emptyObject),
        .init(
            .delete, "/api/v1/profile/avatar", .person(scope: "write:accounts"), .entity(.credentialAccount)),
        .init(
            .delete, "/api/v1/profile/header", .person(scope: "write:accounts"), .entity(.credentialAccount)),
    ]
}
