import FeedAPI
import FeedCore
import Foundation
import Hummingbird

/// Search for accounts and hashtags by name.
struct SearchController: Sendable {
    private static let kinds = ["accounts", "hashtags", "statuses"]
    private static let maximumBytes = 500
    private static let maximumOffset = 400

    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/accounts/search", .account(.readAccounts), use: accounts)
        endpoints.get("/api/v2/search", .optional(.readSearch), use: everything)
    }

    @Sendable func accounts(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let entities = try services.entities(for: request)
        let found = try await accounts(
            try Search(request.query, Pagination.list(request.query, limits: services.limits)), viewer, entities)
        var json = JSONWriter(capacity: 1024 * (1 + found.count))
        json.array { for account in found { $0.account(account, entities) } }
        return Response(json: json)
    }

    /// Accounts and hashtags; the list of statuses is always empty for now.
    @Sendable func everything(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = context.viewer
        let input = try request.query
        guard viewer != nil || !(input.flag("resolve") ?? false) && input["offset"] == nil else {
            throw FeedError(.unauthorized, "Search with offset or resolve requires a login")
        }
        let entities = try services.entities(for: request)
        let search = try Search(input, Pagination(input, limits: services.limits))
        guard !search.text.isEmpty else { throw FeedError.malformed("The parameter q is missing or empty") }
        let accounts = search.wants("accounts") ? try await accounts(search, viewer, entities) : []
        let tags = search.wants("hashtags") ? try await tags(search) : []
        let followed = try await services.followedTags(by: viewer)
        let histories = try await services.histories(of: tags)
        var json = JSONWriter(capacity: 1024 * (1 + accounts.count))
        json.object {
            $0.array("accounts") { for account in accounts { $0.account(account, entities) } }
            $0.empty("statuses")
            $0.array("hashtags") { json in
                for tag in tags { json.tag(tag, histories[tag], isFollowed: followed?.contains(tag), entities) }
            }
        }
        return Response(json: json)
    }

    private func accounts(_ search: Search, _ viewer: Viewer?, _ entities: EntityContext) async throws -> [Account] {
        let handle = AccountHandle(search.text)
        guard handle.isLocal(to: entities.base), !search.isTag else { return [] }
        let follower = search.onlyFollowed ? viewer?.account.id : nil
        if handle.host != nil {
            let account = try await services.stores.accounts.account(named: handle.name)
            return search.offset == 0 && account?.suspendedAt == nil ? [account].compactMap(\.self) : []
        }
        return try await services.stores.search.accounts(
            matching: handle.name, limit: search.limit, offset: search.offset, followedBy: follower,
            for: viewer?.account.id)
    }

    private func tags(_ search: Search) async throws -> [String] {
        let name = search.isTag ? String(search.text.unicodeScalars.dropFirst()) : search.text
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "@")) else { return [] }
        return try await services.stores.search.tags(beginningWith: name, limit: search.limit, offset: search.offset)
    }

    /// The parameters of a search.
    private struct Search {
        let text: String
        let limit: Int
        let offset: Int
        let onlyFollowed: Bool
        /// The requested kind of result; `nil` for all.
        let kind: String?

        init(_ input: InputValues, _ page: Pagination) throws(FeedError) {
            text = (input["q"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            guard text.utf8.count <= maximumBytes else { throw .invalid("q is longer than \(maximumBytes) bytes") }
            limit = page.limit
            offset = input.count(.offset, standard: 0, maximum: maximumOffset, minimum: 0)
            onlyFollowed = input.flag("following") ?? false
            kind = input["type"].flatMap { $0.isEmpty ? nil : $0 }
            guard kind.map(SearchController.kinds.contains) ?? true else { throw .malformed("type is unknown") }
        }

        var isTag: Bool { text.unicodeScalars.first == "#" }

        func wants(_ kind: String) -> Bool { self.kind == nil || self.kind == kind }
    }
}
