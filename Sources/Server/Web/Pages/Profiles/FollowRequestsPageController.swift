import FeedCore
import FeedStore

/// The requests to follow a member: `/follow_requests`. The buttons send them to ``ProfileActionPageController``.
struct FollowRequestsPageController: Sendable {
    let follows: FollowStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/follow_requests", .member(.readFollows)) { request, context in
            try await pages.errors.form { try await list(request, context) }
        }
    }

    private func list(_ request: Request, _ context: RequestContext) async throws -> Response {
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let fetched = try await follows.requests(
            to: try context.require().account.id, page: page.fetchingOneExtra)
        let (requests, hasOlder) = page.split(fetched)
        var shown = try pages.page(\.followRequests, for: request, context)
        let text = shown.text
        shown.show(requests.map(\.account)) { PageButton.answers(to: $0, next: "/follow_requests", text) }
        if requests.isEmpty { shown.setEmpty(text.nobodyWaits) }
        shown.setPages(page, request, newest: requests.first?.id, oldest: requests.last?.id, hasOlder: hasOlder)
        return pages.response(with: shown, context)
    }
}

extension PageButton {
    /// The answers to a follow request.
    static func answers(to account: Account, next: String, _ text: any PageText) -> [PageButton] {
        let (path, name) = ("/@" + account.username, "@" + account.username)
        return [
            PageButton(path: path + "/accept", label: text.accept, subject: name, next: next, isMain: true),
            PageButton(path: path + "/reject", label: text.reject, subject: name, next: next),
        ]
    }
}
