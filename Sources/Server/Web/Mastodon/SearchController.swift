import FeedAPI
import FeedCore
import FeedStore
import Foundation

/// Search for accounts and hashtags by name, and for accounts and statuses by address.
struct SearchController: Sendable {
    private static let kinds = ["accounts", "hashtags", "statuses"]
    private static let maximumBytes = 500
    private static let maximumOffset = 400

    let search: SearchStore
    let accounts: AccountStore
    let statuses: StatusStore
    let tagEntities: TagEntities
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/accounts/search", .account(.readAccounts), use: accounts)
        endpoints.get("/api/v2/search", .optional(.readSearch), use: everything)
    }

    @Sendable func accounts(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let entities = try contexts.make(for: request)
        let found = try await accounts(
            try Search(request.query, Pagination.list(request.query, limits: settings.limits)), viewer, entities)
        var json = JSONWriter(capacity: 1024 * (1 + found.count))
        json.array { for account in found { $0.account(account, entities) } }
        return Response(json: json)
    }

    /// Accounts and hashtags, or what an address names. The texts of statuses are not searched.
    @Sendable func everything(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = context.viewer
        let input = try request.query
        guard viewer != nil || !(input.flag("resolve") ?? false) && input["offset"] == nil else {
            throw FeedError(.unauthorized, "Search with offset or resolve requires a login")
        }
        let entities = try await contexts.make(for: request, filtering: nil, for: viewer)
        let search = try Search(input, Pagination(input, limits: settings.limits))
        guard !search.text.isEmpty else { throw FeedError.malformed("The parameter q is missing or empty") }
        let accounts = search.wants("accounts") ? try await accounts(search, viewer, entities) : []
        let tags = search.wants("hashtags") ? try await tags(search) : []
        let statuses = search.wants("statuses") ? try await statuses(search, viewer, entities) : []
        let followed = try await tagEntities.followed(by: viewer)
        let histories = try await tagEntities.histories(of: tags)
        var json = JSONWriter(capacity: 1024 * (1 + accounts.count))
        json.object {
            $0.array("accounts") { for account in accounts { $0.account(account, entities) } }
            $0.key("statuses")
            $0.statuses(statuses, entities, viewer: viewer)
            $0.array("hashtags") { json in
                for tag in tags { json.tag(tag, histories[tag], isFollowed: followed?.contains(tag), entities) }
            }
        }
        return Response(json: json)
    }

    private func accounts(_ search: Search, _ viewer: Viewer?, _ entities: EntityContext) async throws -> [Account] {
        let host = BaseURL.host(entities.base)
        if search.isAddress {
            guard case .account(let name) = search.address(on: host) else { return [] }
            return try await account(named: name)
        }
        let handle = AccountHandle(search.text)
        if let handle, handle.domain != nil {
            return handle.isLocal(to: host) && search.offset == 0 ? try await account(named: handle.name) : []
        }
        let text = handle?.name ?? search.text.trimmingCharacters(in: ["@"])
        guard !text.isEmpty, !search.isTag else { return [] }
        let follower = search.onlyFollowed ? viewer?.account.id : nil
        return try await self.search.accounts(
            matching: text, limit: search.limit, offset: search.offset, followedBy: follower, for: viewer?.account.id)
    }

    /// The account with a name, as a list.
    private func account(named name: String) async throws -> [Account] {
        let account = try await accounts.account(named: name)
        return account?.suspendedAt == nil ? [account].compactMap(\.self) : []
    }

    /// The status that an address names, if the viewer may see it.
    private func statuses(_ search: Search, _ viewer: Viewer?, _ entities: EntityContext) async throws -> [Status] {
        guard case .status(let id, let author) = search.address(on: BaseURL.host(entities.base)),
            let status = try await statuses.status(id: id, for: viewer?.account.id)
        else { return [] }
        let name = (status.boost?.account ?? status.account).username
        return author.map { Username.key($0) == Username.key(name) } ?? true ? [status] : []
    }

    private func tags(_ search: Search) async throws -> [String] {
        let name = search.isTag ? String(search.text.unicodeScalars.dropFirst()) : search.text
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "@")), !search.isAddress else { return [] }
        return try await self.search.tags(beginningWith: name, limit: search.limit, offset: search.offset)
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

        /// Whether the text is an address, which names a single account or status.
        var isAddress: Bool { SearchAddress.isAddress(text) }

        /// The account or status at the address; `nil` if this server has none there, or if an earlier page contained
        /// it.
        func address(on host: String) -> SearchAddress? { offset == 0 ? SearchAddress(text, host: host) : nil }

        func wants(_ kind: String) -> Bool { self.kind == nil || self.kind == kind }
    }
}
