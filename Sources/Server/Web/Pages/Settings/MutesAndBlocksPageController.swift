import FeedCore
import FeedStore
import HTTPTypes

/// The accounts that a member has muted and blocked: `/settings/mutes` and `/settings/blocks`.
struct MutesAndBlocksPageController: Sendable {
    let mutes: MuteStore
    let blocks: BlockStore
    let pages: MemberPage

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/settings/mutes", .member(.readMutes)) { request, context in
            try await show(.mutes, undo: ("unmute", \.unmute), request, context) {
                try await mutes.mutes(of: $0, page: $1).map { ($0.account, $0.mute.expiresAt) }
            }
        }
        endpoints.get("/settings/blocks", .member(.readBlocks)) { request, context in
            try await show(.blocks, undo: ("unblock", \.unblock), request, context) {
                try await blocks.blocks(of: $0, page: $1).map { ($0, nil) }
            }
        }
    }

    /// - Parameters:
    ///   - undo: The last segment of the path of the button, and its label.
    ///   - fetch: Returns accounts, each with the time at which it is no longer hidden.
    private func show(
        _ entry: SettingsPage, undo: (verb: String, label: (any PageText) -> String), _ request: Request,
        _ context: RequestContext,
        _ fetch: (Int64, Pagination) async throws -> [(account: Account, end: Int64?)]
    ) async throws -> Response {
        try await pages.errors.form {
            let page = try Pagination.list(request.query, limits: pages.settings.limits)
            let found = try await fetch(try context.require().account.id, page.fetchingOneExtra)
            let (entries, hasOlder) = page.split(found)
            let people = entries.map(\.account)
            var shown = try pages.settings({ $0.entry(entry).title }, request, context)
            let locale = shown.locale
            let label = undo.label(locale.text)
            let ends = entries.compactMap { entry in
                entry.end.map { (entry.account.id, locale.text.until(locale.date($0))) }
            }
            shown.show(people, notes: Dictionary(ends) { first, _ in first }) { account in
                [
                    PageButton(
                        path: "/@\(account.username)/\(undo.verb)", label: label, subject: "@" + account.username,
                        next: request.uri.path)
                ]
            }
            if people.isEmpty { shown.setEmpty(locale.text.nobody) }
            shown.setPages(page, request, newest: people.first?.id, oldest: people.last?.id, hasOlder: hasOlder)
            return pages.response(with: shown, context)
        }
    }
}
