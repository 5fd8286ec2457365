import FeedCore

extension Page {
    /// Fills a page from rows of which some may not be shown.
    /// - Parameters:
    ///   - rows: The rows within the bounds of `page`, in reading order.
    ///   - isComplete: Whether there are no further rows.
    ///   - read: The entries of some rows, in reading order.
    static func filled<Element>(
        _ page: Pagination, from rows: [Element], isComplete: Bool, id: (Element) -> Int64,
        read: ([Element]) throws -> [Entry]
    ) rethrows -> Page {
        var rest = rows[...]
        var entries: [Entry] = []
        while entries.count < page.limit, !rest.isEmpty {
            let chunk = rest.prefix(page.limit - entries.count)
            rest = rest.dropFirst(chunk.count)
            entries += try read(Array(chunk))
        }
        let looked = rows.dropLast(rest.count)
        let (first, last) = (looked.first.map(id), looked.last.map(id))
        if page.readsUpwards {
            return Page(entries: entries.reversed(), newest: last, oldest: first, hasOlder: !looked.isEmpty)
        }
        return Page(entries: entries, newest: first, oldest: last, hasOlder: !rest.isEmpty || !isComplete)
    }
}
