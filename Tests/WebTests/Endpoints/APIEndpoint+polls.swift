import HTTPTypes

extension APIEndpoint {
    static let polls: [APIEndpoint] = [
        .init(.get, "/api/v1/polls/{poll}", .anyoneOr(scope: "read:statuses"), .entity(.poll)),
        .init(
            .post, "/api/v1/polls/{poll}/votes", .person(scope: "write:statuses"), .entity(.poll), form: "choices[]=0"),
    ]
}
