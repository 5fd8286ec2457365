import FeedAPI
import FeedCore
import FeedStore
import Foundation
import HTTPTypes

/// Search for accounts and hashtags by name, for statuses by their texts, and for accounts and statuses by address.
struct SearchController: Sendable {
    let finder: Finder
    let tagEntities: TagEntities
    let contexts: EntityContexts
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/api/v1/accounts/search", .account(.readAccounts), use: accounts)
        endpoints.get(Paths.search, .optional(.readSearch), use: everything)
    }

    @Sendable func accounts(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let entities = try contexts.make(for: request)
        let search = try SearchInput(request.query, Pagination.list(request.query, limits: settings.limits))
        let matches = try await finder.accounts(search, on: BaseURL.host(entities.base), for: viewer.account.id)
        var json = JSONWriter(capacity: 1024 * (1 + matches.count))
        json.array { for account in matches { $0.account(account, entities) } }
        return Response(json: json)
    }

    /// Accounts, statuses and hashtags, or what an address names.
    @Sendable func everything(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = context.viewer
        let input = try request.query
        guard viewer != nil || !(input.flag("resolve") ?? false) && input["offset"] == nil else {
            throw FeedError(.unauthorized, "Search with offset or resolve requires a login")
        }
        let entities = try await contexts.make(for: request, filtering: nil, for: viewer)
        let search = try SearchInput(input, Pagination(input, limits: settings.limits))
        try search.check()
        let (host, id) = (BaseURL.host(entities.base), viewer?.account.id)
        let accounts = search.wants(.accounts) ? try await finder.accounts(search, on: host, for: id) : []
        let tags = search.wants(.hashtags) ? try await finder.tags(search) : []
        let statuses = search.wants(.statuses) ? try await finder.statuses(search, on: host, for: id) : FoundStatuses()
        let followed = tags.isEmpty ? nil : try await tagEntities.followed(by: viewer)
        let histories = try await tagEntities.histories(of: tags)
        var json = JSONWriter(capacity: 1024 * (1 + accounts.count + 2 * statuses.statuses.count))
        json.object {
            $0.array("accounts") { for account in accounts { $0.account(account, entities) } }
            $0.key("statuses")
            $0.statuses(statuses.statuses, entities, viewer: viewer)
            $0.array("hashtags") { json in
                for tag in tags { json.tag(tag, histories[tag], isFollowed: followed?.contains(tag), entities) }
            }
        }
        let links = PaginationLinks(base: entities.base, request: request, keepsFloor: true)
            .header(newest: nil, oldest: statuses.older, hasOlder: search.kind != nil)
        var response = Response(json: json, links: links)
        if statuses.isIncomplete { response.headers[.searchIncomplete] = "true" }
        return response
    }
}

/// Finds accounts, hashtags and statuses, for the API and for the page.
struct Finder: Sendable {
    let search: SearchStore
    let accounts: AccountStore
    let statuses: StatusStore

    /// The accounts whose names match, or the one that an address of this server names.
    func accounts(_ search: SearchInput, on host: String, for viewer: Int64?) async throws -> [Account] {
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
        let follower = search.onlyFollowed ? viewer : nil
        return try await self.search.accounts(
            matching: text, limit: search.limit, offset: search.nameOffset, followedBy: follower,
            for: viewer)
    }

    /// The account with a name, as a list.
    private func account(named name: String) async throws -> [Account] {
        let account = try await accounts.account(named: name)
        return account?.suspendedAt == nil ? [account].compactMap(\.self) : []
    }

    /// The statuses whose texts match, or the one that an address of this server names.
    func statuses(_ search: SearchInput, on host: String, for viewer: Int64?) async throws -> FoundStatuses {
        if search.isAddress, let address = SearchURL(search.text, host: host) {
            return search.offset == 0 ? FoundStatuses(try await status(at: address, viewer)) : FoundStatuses()
        }
        guard search.offset < SearchInput.maximumOffset else { return FoundStatuses() }
        return try await self.search.statuses(
            search.statuses, on: host, limit: search.limit, viewer: viewer)
    }

    /// The status that an address names, if the viewer may see it.
    private func status(at address: SearchURL, _ viewer: Int64?) async throws -> [Status] {
        guard case .status(let id, let author) = address,
            let status = try await statuses.status(id: id, for: viewer)
        else { return [] }
        let name = (status.boost?.account ?? status.account).username
        return author.map { Username.key($0) == Username.key(name) } ?? true ? [status] : []
    }

    /// The keys of hashtags that begin with the text.
    func tags(_ search: SearchInput) async throws -> [String] {
        let name = search.isTag ? String(search.text.unicodeScalars.dropFirst()) : search.text
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "@")), !search.isAddress else { return [] }
        return try await self.search.tags(
            beginningWith: name, limit: search.limit, offset: search.nameOffset)
    }
}

/// The parameters of a search.
struct SearchInput: Sendable {
    /// A kind of result. The raw values are those of the Mastodon API.
    enum Kind: String, Sendable { case accounts, hashtags, statuses }

    static let maximumBytes = 500
    /// The maximum offset of statuses, beyond which none are found, and of the other kinds.
    static let maximumOffset = 10_000
    static let maximumNameOffset = 400

    let text: String
    var limit: Int
    /// The number of statuses that are left out.
    let offset: Int
    /// The conditions for statuses, apart from the limit.
    let statuses: StatusSearchRequest
    let onlyFollowed: Bool
    /// The requested kind of result; `nil` for all.
    let kind: Kind?

    init(_ input: RequestParameters, _ page: Pagination) throws(FeedError) {
        text = (input["q"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= Self.maximumBytes else {
            throw .invalid("q is longer than \(Self.maximumBytes) bytes")
        }
        limit = page.limit
        offset = input.count(.offset, standard: 0, maximum: Self.maximumOffset, minimum: 0)
        onlyFollowed = input.flag("following") ?? false
        statuses = StatusSearchRequest(
            query: SearchQuery(text), maxID: page.maxID, minID: page.floor, accountID: try input.id(.accountID),
            following: onlyFollowed, offset: offset)
        let word = input["type"]?.nonEmpty
        kind = word.flatMap(Kind.init)
        guard word == nil || kind != nil else { throw .malformed("type is unknown") }
    }

    /// - Throws: ``FeedError`` `.malformed` without a text, `.invalid` if there is nothing to search for in it.
    func check() throws(FeedError) {
        guard !text.isEmpty else { throw .malformed("The parameter q is missing or empty") }
        guard kind != .statuses && text.unicodeScalars.contains(where: Self.isSearched) || !statuses.query.isEmpty
        else {
            throw FeedError(
                .invalid, "There is nothing to search for in q",
                hint: "Use at least one letter or digit, or an operator such as from:me or has:media.")
        }
    }

    /// Whether a name could contain a character.
    private static func isSearched(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    /// The number of accounts and of hashtags that are left out.
    var nameOffset: Int { min(offset, Self.maximumNameOffset) }

    var isTag: Bool { text.unicodeScalars.first == "#" }

    /// Whether the text is an address, which names a single account or status.
    var isAddress: Bool { SearchURL.isAddress(text) }

    /// The account or status at the address; `nil` if this server has none there, or if an earlier page contained
    /// it.
    func address(on host: String) -> SearchURL? { offset == 0 ? SearchURL(text, host: host) : nil }

    func wants(_ kind: Kind) -> Bool { self.kind == nil || self.kind == kind }
}
