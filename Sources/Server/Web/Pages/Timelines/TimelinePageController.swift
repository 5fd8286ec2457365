import FeedCore
import FeedStore

/// The pages of timelines: the public one, those of hashtags, and those that only a member sees.
extension PageController {
    func addTimelines(to endpoints: Endpoints) {
        endpoints.page("/", .open, timeline { try await publicTimeline(&$0, $1, $2) })
        endpoints.page("/home", .member(.readStatuses), timeline { try home(&$0, $1, $2) })
        endpoints.page("/tags/:tag", .open, timeline { try await tag(&$0, $1, $2) })
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

    /// A page of a timeline.
    /// - Parameter describe: Adds everything but the statuses, and returns the timeline.
    func timeline(_ describe: @escaping Fill<Timeline>) -> CachedPageResponse {
        page { shown, request, context in
            let (page, path) = (try Pagination(request.query, limits: settings.limits), request.uri.path)
            let viewer = context.reader?.id
            let timeline = try await describe(&shown, request, context)
            let sources = try await timelineSources.of(timeline)
            let found = try await timelines.timeline(timeline, page: page, for: viewer)
            let pinned = CacheInvalidation(showing: shown.pinned, to: viewer)
            let rest = found.entries.filter { !pinned.statuses.contains($0.id) }
            // Members find what they have marked, whatever their filters say.
            if let place = timeline.filterContext { shown.filters = try await filters.of(context.viewer, in: place) }
            shown.show(rest, names: try await ReplyNames(of: rest, in: accounts))
            // Search engines index each post, but not the older pages, whose content changes.
            if request.uri.query != nil { shown.setCanonical(nil) }
            if let oldest = found.oldest, found.hasOlder { shown.set(.older, path + "?max_id=\(oldest)") }
            shown.set(.newest, found.newest.map { String($0) })
            if let newest = found.newest, page.maxID != nil || page.minID != nil {
                shown.set(.newer, path + "?min_id=\(newest)")
            }
            var dependencies = CacheInvalidation(found, of: timeline, page, sources: sources, viewer: viewer)
            dependencies.accounts.formUnion(shown.accounts.union(pinned.accounts))
            dependencies.statuses.formUnion(pinned.statuses)
            return dependencies
        }
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
