import AsyncHTTPClient
import FeedAPI
import Foundation

extension FeedClient {
    /// The number of entries that are read at once after a gap.
    static let entriesPerPage = 40

    /// The newest statuses of a timeline and then each new one as it arrives.
    /// - Parameters:
    ///   - name: The timeline. Servers have no stream for the statuses of an account, which is therefore polled;
    ///     favourites and bookmarks cannot be followed.
    ///   - count: The number of statuses to begin with.
    ///   - onOutage: Called when a lost connection could not be replaced at once.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if the account or list does not exist, and `.usage` if the
    ///   timeline cannot be followed.
    public func liveTimeline(
        _ name: TimelineName, count: Int = 20, onOutage: (@Sendable (FeedClientError?) -> Void)? = nil
    ) async throws -> LiveEntries<TimelineEntry> {
        let path = try await path(of: name)
        let events = StreamEvents(client: self, stream: try await stream(of: name), onOutage: onOutage)
        return LiveEntries(
            source: LiveSource(
                events: events, id: \.status.id, entry: { if case .update(let entry) = $0 { entry } else { nil } },
                newest: { try await waitingStatuses(of: name, count: $0) },
                decode: { json in
                    let status = try? JSONDecoder().decode(Entity.Status.self, from: Data(json))
                    return status.map { TimelineEntry(status: $0, json: json) }
                },
                page: { [path] in try await page(at: path.path, path.query + Self.query(after: $0)) }),
            count: count)
    }

    private func waitingStatuses(
        of name: TimelineName, count: Int
    ) async throws -> [LiveSource<TimelineEntry>.PendingEntry] {
        var waiting: [LiveSource<TimelineEntry>.PendingEntry] = []
        try await readStatuses(of: name, count: count) { page in
            waiting += page.map { LiveSource<TimelineEntry>.PendingEntry(id: $0.status.id, json: $0.json) }
            return true
        }
        return waiting
    }

    /// - Returns: `nil` if servers offer no stream.
    package func stream(of name: TimelineName) async throws -> StreamName? {
        switch name {
        case .home: return .user
        case .public: return .public
        case .local: return .publicLocal
        case .tag(let name): return .hashtag(name)
        case .list(let list): return .list(try await self.list(named: list).id)
        case .account: return nil
        case .favourites, .bookmarks:
            throw FeedClientError(
                .usage, "Favourites and bookmarks cannot be followed",
                hint: "They are sorted by when you added them. Follow home, public, local, a hashtag or a list.")
        }
    }

    private func page(
        at path: String, _ query: [(String, String?)]
    ) async throws -> LiveSource<TimelineEntry>.Page {
        let response = try await transport.send(request(path, query: query))
        let entries = try elements(of: response, as: Entity.Status.self).compactMap { element in
            element.value.map { LiveSource<TimelineEntry>.PendingEntry(id: $0.id, json: element.json) }
        }
        return LiveSource.Page(entries: entries, next: response.links.previousMinID)
    }

    /// `min_id` selects the oldest entries after an id, while `since_id` would skip some if there are many.
    static func query(after id: String) -> [(String, String?)] {
        [("limit", String(entriesPerPage)), ("min_id", id)]
    }
}

extension FeedClient {
    /// The newest notifications and then each new one as it arrives, without groups.
    /// - Parameters:
    ///   - count: The number of notifications to begin with.
    ///   - onOutage: Called when a lost connection could not be replaced at once.
    public func liveNotifications(
        count: Int = 20, onOutage: (@Sendable (FeedClientError?) -> Void)? = nil
    ) -> LiveEntries<NotificationEntry> {
        LiveEntries(
            source: LiveSource(
                events: events(of: .userNotification, onOutage: onOutage), id: \.id,
                entry: { if case .notification(let entry) = $0 { entry } else { nil } },
                newest: { try await waitingNotifications(count: $0) },
                decode: { json in
                    let notification = try? JSONDecoder().decode(Entity.Notification.self, from: Data(json))
                    return notification.map { NotificationEntry($0, json: json) }
                },
                page: { try await notifications(after: $0) }),
            count: count)
    }

    private func waitingNotifications(count: Int) async throws -> [LiveSource<NotificationEntry>.PendingEntry] {
        var waiting: [LiveSource<NotificationEntry>.PendingEntry] = []
        try await readNotifications(count: count, isGrouped: false) { page in
            waiting += page.compactMap { entry in
                entry.json.map { LiveSource<NotificationEntry>.PendingEntry(id: entry.id, json: $0) }
            }
            return true
        }
        return waiting
    }

    private func notifications(after id: String) async throws -> LiveSource<NotificationEntry>.Page {
        let response = try await transport.send(request(Paths.notifications, query: Self.query(after: id)))
        let entries = try elements(of: response, as: Entity.Notification.self).compactMap { element in
            element.value.map { LiveSource<NotificationEntry>.PendingEntry(id: $0.id, json: element.json) }
        }
        return LiveSource.Page(entries: entries, next: response.links.previousMinID)
    }
}
