import FeedCore
import FeedStore

/// The timelines that only a member sees: bookmarks, favourites and lists.
extension PageController {
    func addMemberTimelines(to endpoints: Endpoints) {
        endpoints.page(
            "/bookmarks", .member(.readBookmarks),
            timeline { page, _, context in
                page.setTitle("Bookmarks – \(page.site.title)", heading: "Bookmarks")
                return .marked(.bookmark, by: try context.requireReader().id)
            })
        endpoints.page(
            "/favourites", .member(.readFavourites),
            timeline { page, _, context in
                page.setTitle("Favourites – \(page.site.title)", heading: "Favourites")
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
            PageNavigation.Link(path: "/lists/\(list.id)/members", label: "Members"),
            PageNavigation.Link(path: "/lists/\(list.id)/edit", label: "Edit"),
            PageNavigation.Link(path: "/lists/\(list.id)/delete", label: "Delete"),
        ])
        if request.uri.query == nil { page.set(.live, "list/\(list.id)") }
        page.set(.feedEmptyText, "Nothing here yet. Posts of the members appear here.")
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
