import FeedCore
import FeedStore
import HTTPTypes

/// The hashtags that a member follows: `/followed_tags`, and the forms of a hashtag's page.
struct FollowedTagsPageController: Sendable {
    let tagFollows: FollowedTagStore
    let tags: TagStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/followed_tags", .member(.readFollows)) { request, context in
            try await pages.errors.form {
                pages.response(with: try await list("", nil, request, context), context)
            }
        }
        endpoints.post("/followed_tags", .member(.writeFollows)) { request, context in
            try await pages.errors.form { try await followNamed(request, context) }
        }
        endpoints.post("/tags/:tag/follow", .member(.writeFollows)) { request, context in
            try await change(request, context) { try await tagFollows.follow(tag: $0, by: $1) }
        }
        endpoints.post("/tags/:tag/unfollow", .member(.writeFollows)) { request, context in
            try await change(request, context) { try await tagFollows.unfollow(tag: $0, by: $1) }
        }
    }

    private func change(
        _ request: Request, _ context: RequestContext, _ action: (_ tag: String, _ viewer: Int64) async throws -> Void
    ) async throws -> Response {
        try await pages.errors.form {
            guard let name = Hashtag.name(try context.segment("tag")) else { throw FeedError.notFound }
            let input = try await request.input(upTo: pages.settings.limits.formBytes, context: context)
            let tag = Hashtag.key(name)
            try await action(tag, try context.require().account.id)
            return .redirect(after: input, to: "/tags/" + tag.percentEncodedSegment)
        }
    }

    private func followNamed(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: pages.settings.limits.formBytes, context: context)
        let name = input["name"] ?? ""
        return try await pages.submit(request, context) { refusal in
            try await list(name, refusal.message, request, context)
        } _: {
            guard let tag = Hashtag.name(name) else { throw FeedError.invalid("Tag is invalid") }
            try await tagFollows.follow(tag: Hashtag.key(tag), by: try context.require().account.id)
            return .redirect(after: input, to: "/followed_tags")
        }
    }

    private func list(
        _ name: String, _ message: String?, _ request: Request, _ context: RequestContext
    ) async throws -> PageContext {
        let viewer = try context.require().account.id
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let (found, hasOlder) = page.split(try await tagFollows.followedTags(by: viewer, page: page.fetchingOneExtra))
        let names = try await tags.names(of: found.map(\.name))
        var shown = try pages.page(\.followedHashtags, for: request, context)
        shown.setLineForm(
            shown.text.followHashtag, value: name, message: message, path: "/followed_tags", submit: shown.text.follow)
        shown.showRows(
            found.map { tag in
                TemplateValues(
                    tag: tag.name, names[tag.name],
                    buttons: [.tag(tag.name, isFollowed: true, next: "/followed_tags", shown.text)])
            })
        if found.isEmpty { shown.setEmpty(shown.text.nothingInHashtags) }
        shown.setPages(page, request, newest: found.first?.id, oldest: found.last?.id, hasOlder: hasOlder)
        return shown
    }
}

extension TagStore {
    /// Hashtags as they are spelled, by their keys.
    func names(of tags: [String]) async throws -> [String: String] {
        Dictionary(try await histories(of: tags).map { ($0.tag, $0.name) }) { first, _ in first }
    }
}

extension PageButton {
    /// Follows a hashtag, or no longer does.
    static func tag(
        _ tag: String, isFollowed: Bool, next: String? = nil, _ text: any PageText
    ) -> PageButton {
        let path = "/tags/" + tag.percentEncodedSegment
        let (follow, unfollow) = ((path + "/follow", text.follow), (path + "/unfollow", text.unfollow))
        return PageButton(
            isFollowed ? unfollow : follow, or: isFollowed ? follow : unfollow, subject: "#" + tag, next: next,
            isMain: !isFollowed)
    }
}

extension TemplateValues {
    /// A hashtag in a list.
    /// - Parameter name: The hashtag as it is spelled.
    init(tag: String, _ name: String?, buttons: [PageButton] = []) {
        self.init(row: "#" + (name ?? tag), at: "/tags/" + tag.percentEncodedSegment, buttons: buttons)
    }
}
