import FeedCore
import FeedStore

/// The timelines that only a member sees: bookmarks, favourites and lists.
extension PageController {
    func addMemberTimelines(to endpoints: Endpoints) {
        endpoints.page(
            "/bookmarks", .member(.readBookmarks),
            timeline { page, _, context in
                page.setTitle("\(page.text.bookmarks) – \(page.site.title)", heading: page.text.bookmarks)
                return .marked(.bookmark, by: try context.requireReader().id)
            })
        endpoints.page(
            "/favourites", .member(.readFavourites),
            timeline { page, _, context in
                page.setTitle("\(page.text.favourites) – \(page.site.title)", heading: page.text.favourites)
                return .marked(.favourite, by: try context.requireReader().id)
            })
        endpoints.page("/lists/:id", .member(.readLists), timeline { try await list(&$0, $1, $2) })
    }

    private func list(
        _ page: inout PageContext, _ request: Request, _ context: FeedContext
    ) async throws -> Timeline {
        let list = try await lists.require(try context.id(), of: try context.requireReader())
        page.setTitle("\(list.title) – \(page.site.title)", heading: list.title)
        page.setTools([
            PageNavigation.Link(path: "/lists/\(list.id)/members", label: page.text.members),
            PageNavigation.Link(path: "/lists/\(list.id)/edit", label: page.text.words.edit),
            PageNavigation.Link(path: "/lists/\(list.id)/delete", label: page.text.words.delete),
        ])
        if request.uri.query == nil { page.set(.live, "list/\(list.id)") }
        page.set(.feedEmptyText, page.text.nothingInList)
        return .list(list)
    }
}

extension FeedContext {
    /// The account whose page is shown. Pages are kept under its id, so a token that may not read statuses gets none.
    func requireReader() throws(FeedError) -> Account {
        guard let reader else { throw .notAllowed }
        return reader
    }
}
