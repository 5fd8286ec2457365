import FeedCore
import FeedStore

/// The followers of an account and the accounts it follows: `/@NAME/followers` and `/@NAME/following`.
struct FollowersPageController: Sendable {
    let accounts: AccountStore
    let follows: FollowStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/@{name}/followers", .open) { request, context in
            try await show({ $0.followers(of: $1) }, request, context) {
                try await follows.followers(of: $0, page: $1, for: $2)
            }
        }
        endpoints.get("/@{name}/following", .open) { request, context in
            try await show({ $0.followed(by: $1) }, request, context) {
                try await follows.following(of: $0, page: $1, for: $2)
            }
        }
    }

    private func show(
        _ title: (any PageText, String) -> String, _ request: Request, _ context: RequestContext,
        _ fetch: (Int64, Pagination, Int64?) async throws -> [Account]
    ) async throws -> Response {
        let (account, viewer) = (try await accounts.requireShown(try context.segment("name")), context.reader?.id)
        var shown = try pages.page(for: request, context)
        shown.describe(account, title: title)
        shown.set(.backURL, "/@" + account.username)
        shown.set(.backText, "@" + account.username)
        guard account.showsCollections(to: viewer) else {
            shown.setEmpty(shown.text.hidesList(account.username))
            return pages.response(with: shown, context)
        }
        let page = try Pagination.list(request.query, limits: pages.settings.limits)
        let (people, hasOlder) = page.split(try await fetch(account.id, page.fetchingOneExtra, viewer))
        shown.show(people)
        if people.isEmpty { shown.setEmpty(shown.text.nobodyYet) }
        shown.setPages(page, request, newest: people.first?.id, oldest: people.last?.id, hasOlder: hasOlder)
        return pages.response(with: shown, context)
    }
}
