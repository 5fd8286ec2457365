import FeedCore
import FeedStore

/// The pages of timelines: the public one, those of hashtags, and those that only a member sees.
struct TimelinePageController: Sendable {
    let pages: PageController
    let tags: TagStore
    let lists: ListStore
    let tagFollows: FollowedTagStore

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.page("/", .open, pages.timeline { try await publicTimeline(&$0, $1, $2) })
        endpoints.page("/home", .member(.readStatuses), pages.timeline { try home(&$0, $1, $2) })
        endpoints.page("/tags/:tag", .open, pages.timeline { try await tag(&$0, $1, $2) })
        endpoints.page(
            "/bookmarks", .member(.readBookmarks),
            pages.timeline { page, _, context in
                page.setTitle("\(page.text.bookmarks) – \(page.site.title)", heading: page.text.bookmarks)
                return .marked(.bookmark, by: try context.requireReader().id)
            })
        endpoints.page(
            "/favourites", .member(.readFavourites),
            pages.timeline { page, _, context in
                page.setTitle("\(page.text.favourites) – \(page.site.title)", heading: page.text.favourites)
                return .marked(.favourite, by: try context.requireReader().id)
            })
        endpoints.page("/lists/:id", .member(.readLists), pages.timeline { try await list(&$0, $1, $2) })
    }

    private func publicTimeline(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) async throws -> Timeline {
        page.setTitle(page.site.title, heading: page.text.publicTimeline)
        page.set(.description, page.site.text)
        page.setCanonical("/")
        page.setFeed("/feed", title: page.site.title)
        if request.uri.query == nil { page.set(.live, "public") }
        return .public
    }

    private func home(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
    ) throws -> Timeline {
        page.setTitle("\(page.text.home) – \(page.site.title)", heading: page.text.home)
        page.set(.feedEmptyText, page.text.nothingAtHome)
        if request.uri.query == nil { page.set(.live, "home") }
        return .home(try context.require().account.id)
    }

    private func tag(_ page: inout PageContext, _ request: Request, _ context: RequestContext) async throws -> Timeline
    {
        let tag = Hashtag.key(try context.segment("tag"))
        let name = try await tags.histories(of: [tag]).first?.name ?? tag
        page.setTitle("#\(name) – \(page.site.title)", heading: "#" + name)
        page.setCanonical("/tags/" + tag.percentEncodedSegment)
        page.setFeed("/tags/" + tag.percentEncodedSegment + "/feed", title: "#" + name)
        if request.uri.query == nil { page.set(.live, "tag/" + tag.percentEncodedSegment) }
        if context.readsRelationships, let viewer = context.reader {
            let isFollowed = try await tagFollows.followedNames(by: viewer.id).contains(tag)
            page.setTools(buttons: [.tag(tag, isFollowed: isFollowed, page.text)])
        }
        return .tag(tag)
    }

    private func list(
        _ page: inout PageContext, _ request: Request, _ context: RequestContext
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
