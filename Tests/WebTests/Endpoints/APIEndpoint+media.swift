import HTTPTypes

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
