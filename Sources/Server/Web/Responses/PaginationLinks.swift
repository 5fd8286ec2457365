import FeedAPI
import FeedCore
import HTTPTypes

/// The addresses of the neighboring pages, which keep the request's other parameters.
struct PaginationLinks {
    let base: String
    let request: Request
    /// Whether all pages are within the bounds `min_id` and `since_id` of the request, as those of a search.
    var keepsFloor = false

    /// Characters that would end the address in a Link header or in HTML, percent-encoded.
    private static let marks: [UInt8: String] = [0x22: "%22", 0x3C: "%3C", 0x3E: "%3E"]
    private static let floor: Set<Substring> = ["since_id", "min_id"]
    private static let paging: Set<Substring> = ["max_id", "offset"]

    func header<Entry>(_ page: Page<Entry>) -> LinkHeader {
        header(newest: page.newest, oldest: page.oldest, hasOlder: page.hasOlder)
    }

    func header(newest: Int64?, oldest: Int64?, hasOlder: Bool) -> LinkHeader {
        var header = LinkHeader()
        if let oldest, hasOlder { header.next = address("max_id", oldest) }
        if let newest { header.previous = address("min_id", newest) }
        return header
    }

    private func address(_ name: String, _ id: Int64) -> String {
        let replaced = keepsFloor ? Self.paging : Self.paging.union(Self.floor)
        let kept = (request.uri.query ?? "").utf8.split(separator: UInt8(ascii: "&")).filter {
            !replaced.contains(Substring($0.prefix { $0 != UInt8(ascii: "=") }))
        }
        let query = (kept.map { String(Substring($0)) } + ["\(name)=\(id)"]).joined(separator: "&")
        return base + Self.encoded(request.uri.path + "?" + query)
    }

    private static func encoded(_ address: String) -> String {
        guard address.utf8.contains(where: { marks[$0] != nil }) else { return address }
        let bytes = address.utf8.flatMap { byte in marks[byte].map { Array($0.utf8) } ?? [byte] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Pagination {
    /// Reads `limit`, `max_id`, `since_id` and `min_id`.
    /// - Parameters:
    ///   - standard: The default number of entries; `nil` for the default of timelines.
    ///   - maximum: The maximum number of entries; `nil` for the maximum of timelines.
    /// - Throws: ``FeedError`` `.malformed` for an id that is not a number.
    init(
        _ input: RequestParameters, limits: Limits, standard: Int? = nil, maximum: Int? = nil
    ) throws(FeedError) {
        self.init(
            limit: input.count(
                .limit, standard: standard ?? limits.pageDefault, maximum: maximum ?? limits.pageMaximum),
            maxID: try input.id(.maxID), sinceID: try input.id(.sinceID), minID: try input.id(.minID))
    }

    /// The same for a list of accounts or notifications, whose pages are longer.
    static func list(_ input: RequestParameters, limits: Limits) throws(FeedError) -> Pagination {
        try Pagination(input, limits: limits, standard: limits.listDefault, maximum: limits.listMaximum)
    }

    /// Splits entries fetched with ``fetchingOneExtra`` into the page and whether older entries follow.
    func split<Entry>(_ fetched: [Entry]) -> (entries: [Entry], hasOlder: Bool) {
        if isAscending { return (Array(fetched.suffix(limit)), !fetched.isEmpty) }
        return (Array(fetched.prefix(limit)), fetched.count > limit)
    }
}

extension Response {
    /// A page of accounts, paged by id.
    /// - Parameter fetched: Entries fetched with ``Pagination/fetchingOneExtra``.
    init(with fetched: [Account], page: Pagination, to request: Request, _ entities: EntityContext) {
        self.init(with: fetched, page: page, to: request, entities, id: \.id) { $0.account($1, $2) }
    }

    /// A page of entries with links to its neighbors.
    /// - Parameters:
    ///   - fetched: Entries fetched with ``Pagination/fetchingOneExtra``.
    ///   - id: The id by which pages are addressed.
    init<Entry>(
        with fetched: [Entry], page: Pagination, to request: Request, _ entities: EntityContext,
        id: (Entry) -> Int64, write: (inout JSONWriter, Entry, EntityContext) -> Void
    ) {
        let (entries, hasOlder) = page.split(fetched)
        var json = JSONWriter(capacity: 1024 * (1 + entries.count))
        json.array { for entry in entries { write(&$0, entry, entities) } }
        let links = PaginationLinks(base: entities.base, request: request)
            .header(newest: entries.first.map(id), oldest: entries.last.map(id), hasOlder: hasOlder)
        self.init(json: json, links: links)
    }

    /// A page that only the viewer may cache, with links to its neighbors.
    init(json: JSONWriter, links: LinkHeader) {
        var headers: HTTPFields = [.cacheControl: "private, no-cache"]
        headers[.link] = links.value
        self.init(json: json, headers: headers)
    }
}
