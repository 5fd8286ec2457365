import AsyncHTTPClient
import FeedAPI
import Foundation

extension FeedClient {
    private static let notificationsPerPage = 40
    /// Ends the reading if the server keeps sending pages without notifications.
    private static let maximumNotificationPages = 1000

    /// A page of notifications, newest first.
    private struct NotificationPage {
        let entries: [NotificationEntry]
        /// The id after which the next page begins; `nil` for the last page.
        let next: String?
    }

    /// The newest notifications, from as many pages as necessary.
    /// - Parameters:
    ///   - count: The maximum number of entries.
    ///   - isGrouped: Whether to group them, if the server can (Mastodon 4.3).
    /// - Throws: ``FeedClientError``.
    public func notifications(count: Int, isGrouped: Bool = true) async throws -> [NotificationEntry] {
        var entries: [NotificationEntry] = []
        try await readNotifications(count: count, isGrouped: isGrouped) { page in
            entries += page
            return true
        }
        return entries
    }

    /// Reads the newest notifications, from as many pages as necessary, of which only one is in memory at a time.
    /// - Parameters:
    ///   - count: The maximum number of entries.
    ///   - isGrouped: Whether to group them, if the server can (Mastodon 4.3).
    ///   - onPage: Receives the entries of each page, the newest first, before the next page is requested. Returns
    ///     whether to read on.
    /// - Throws: ``FeedClientError``, and the errors of `onPage`.
    public func readNotifications(
        count: Int, isGrouped: Bool = true, onPage: (_ entries: [NotificationEntry]) async throws -> Bool
    ) async throws {
        try await readNotifications(count: count, isGrouped: isGrouped, nil, onPage: onPage)
    }

    /// - Parameter policy: How the cache is used; `nil` for the policy of the client.
    func readNotifications(
        count: Int, isGrouped: Bool = true, _ policy: CachePolicy?,
        onPage: (_ entries: [NotificationEntry]) async throws -> Bool
    ) async throws {
        if transport.isOffline, let kept = await keptNotifications(isGrouped: isGrouped) {
            _ = try await onPage(Array(kept.prefix(count)))
            return
        }
        var hasPage = false
        if isGrouped {
            do {
                return try await readPages(count, { try await groupPage($0, $1, policy) }) { page in
                    hasPage = true
                    return try await onPage(page)
                }
            } catch let error as FeedClientError where !hasPage && Self.lacksGroups(error) {}
        }
        try await readPages(count, { try await notificationPage($0, $1, policy) }, onPage)
    }

    /// Deletes all notifications.
    /// - Throws: ``FeedClientError``.
    public func clearNotifications() async throws {
        _ = try await transport.send(formRequest(Paths.notifications + "/clear", []))
        for path in [Paths.notifications, Paths.notificationGroups] {
            await transport.cache?.remove(startingWith: request(path).url)
        }
        await keep(StoredList(hasMore: false), .notifications)
    }

    /// The notifications that ``OfflineSync/syncAccount()`` has fetched.
    /// - Returns: `nil` if there are none, or if newer ones have been read since.
    private func keptNotifications(isGrouped: Bool) async -> [NotificationEntry]? {
        guard let kept = await storedList(.notifications) else { return nil }
        let newest = kept.items.first.flatMap { StatusKey($0.id) }
        let page = try? await (isGrouped ? groupPage : notificationPage)(Self.notificationsPerPage, nil, .cacheOnly)
        let read = page?.entries.first.flatMap { StatusKey($0.id) }
        if let read, newest.map({ $0 < read }) ?? true { return nil }
        let entries = kept.items.map { NotificationEntry($0.value, json: $0.json) }
        return isGrouped ? NotificationEntry.grouped(entries) : entries
    }

    /// Whether a server that sent this error has no groups: other servers respond with 404, or with a web page.
    private static func lacksGroups(_ error: FeedClientError) -> Bool {
        switch error.status {
        case nil: error.code == .failed || error.cause is MissingResponse
        case 404, 405, 410, 501: true
        default: false
        }
    }

    private func readPages(
        _ count: Int, _ nextPage: (_ limit: Int, _ before: String?) async throws -> NotificationPage,
        _ onPage: (_ entries: [NotificationEntry]) async throws -> Bool
    ) async throws {
        var cursors = PageCursors()
        var before: String?
        var missing = count
        for _ in 0..<Self.maximumNotificationPages where missing > 0 {
            let page: NotificationPage
            do {
                page = try await nextPage(min(Self.notificationsPerPage, missing), before)
            } catch let error as FeedClientError where before != nil && error.cause is MissingResponse {
                // Without a network, there is only the first page.
                return
            }
            let entries = Array(page.entries.prefix(missing))
            missing -= entries.count
            // Prevents an endless loop if the server repeats a page.
            guard try await onPage(entries), let next = page.next, cursors.advance(to: next) else { return }
            before = next
        }
    }

    private func notificationPage(
        _ limit: Int, _ before: String?, _ policy: CachePolicy?
    ) async throws -> NotificationPage {
        let query = [("limit", String(limit)), ("max_id", before)]
        let response = try await transport.send(request(Paths.notifications, query: query), policy)
        let elements = try elements(of: response, as: Entity.Notification.self)
        let entries = elements.compactMap { element in element.value.map { NotificationEntry($0, json: element.json) } }
        return NotificationPage(entries: entries, next: response.links.nextMaxID)
    }

    private func groupPage(
        _ limit: Int, _ before: String?, _ policy: CachePolicy?
    ) async throws -> NotificationPage {
        let types = ["favourite", "reblog", "follow"].map { ("grouped_types[]", Optional($0)) }
        let query = [("limit", String(limit)), ("max_id", before)] + types
        let response = try await transport.send(request(Paths.notificationGroups, query: query), policy)
        let page = try decode(Entity.GroupedNotifications.self, response)
        let entries = page.notification_groups.map { NotificationEntry($0, page) }
        return NotificationPage(entries: entries, next: response.links.nextMaxID)
    }

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
