import FeedAPI
import FeedCore
import HTTPTypes

extension Services {
    /// Responds with a page of accounts, paged by id.
    /// - Parameter fetched: Entries fetched with ``Pagination/withProbe``.
    func response(with fetched: [Account], page: Pagination, to request: Request) throws -> Response {
        try response(with: fetched, page: page, to: request, id: \.id) { $0.account($1, $2) }
    }

    /// Responds with a page of entries and links to its neighbors.
    /// - Parameters:
    ///   - fetched: Entries fetched with ``Pagination/withProbe``.
    ///   - id: The id by which pages are addressed.
    func response<Entry>(
        with fetched: [Entry], page: Pagination, to request: Request, id: (Entry) -> Int64,
        write: (inout JSONWriter, Entry, EntityContext) -> Void
    ) throws -> Response {
        let base = try site.baseURL.text(for: request)
        let (entries, hasOlder) = page.split(fetched)
        var json = JSONWriter(capacity: 1024 * (1 + entries.count))
        let entities = entities(base: base)
        json.array { for entry in entries { write(&$0, entry, entities) } }
        let links = PageLinks(base: base, request: request)
            .header(newest: entries.first.map(id), oldest: entries.last.map(id), hasOlder: hasOlder)
        return Response(json: json, links: links)
    }
}

extension Response {
    /// A page that only the viewer may cache, with links to its neighbors.
    init(json: JSONWriter, links: LinkHeader) {
        var headers: HTTPFields = [.cacheControl: "private, no-cache"]
        headers[.link] = links.value
        self.init(json: json, headers: headers)
    }
}
