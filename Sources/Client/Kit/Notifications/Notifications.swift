import AsyncHTTPClient
import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

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
        guard isGrouped else { return try await entries(count) { try await notificationPage($0, before: $1) } }
        do {
            return try await entries(count) { try await groupPage($0, before: $1) }
        } catch let error as FeedClientError where Self.lacksGroups(error) {
            return try await entries(count) { try await notificationPage($0, before: $1) }
        }
    }

    /// Deletes all notifications.
    /// - Throws: ``FeedClientError``.
    public func clearNotifications() async throws {
        _ = try await transport.send(formRequest(Paths.notifications + "/clear", []))
    }

    /// Whether a server that sent this error has no groups: other servers respond with 404, or with a web page.
    private static func lacksGroups(_ error: FeedClientError) -> Bool {
        switch error.status {
        case nil: error.code == .failed
        case 404, 405, 410, 501: true
        default: false
        }
    }

    private func entries(
        _ count: Int, _ page: (_ limit: Int, _ before: String?) async throws -> NotificationPage
    ) async throws -> [NotificationEntry] {
        var entries: [NotificationEntry] = []
        var cursors: Set<String> = []
        var before: String?
        for _ in 0..<Self.maximumNotificationPages where entries.count < count {
            let found = try await page(min(Self.notificationsPerPage, count - entries.count), before)
            entries += found.entries
            // Prevents an endless loop if the server repeats a page.
            guard let next = found.next, cursors.insert(next).inserted else { break }
            before = next
        }
        return Array(entries.prefix(max(0, count)))
    }

    private func notificationPage(_ limit: Int, before: String?) async throws -> NotificationPage {
        let query = [("limit", String(limit)), ("max_id", before)]
        let response = try await transport.send(request(Paths.notifications, query: query))
        let elements = try elements(of: response, as: Entity.Notification.self)
        let entries = elements.compactMap { element in element.value.map { NotificationEntry($0, json: element.json) } }
        return NotificationPage(entries: entries, next: Self.next(response.links))
    }

    private func groupPage(_ limit: Int, before: String?) async throws -> NotificationPage {
        let types = ["favourite", "reblog", "follow"].map { ("grouped_types[]", Optional($0)) }
        let query = [("limit", String(limit)), ("max_id", before)] + types
        let response = try await transport.send(request(Paths.notificationGroups, query: query))
        let page = try decode(Entity.GroupedNotifications.self, response)
        let entries = page.notification_groups.map { NotificationEntry($0, page) }
        return NotificationPage(entries: entries, next: Self.next(response.links))
    }

    /// The id after which the next page begins, from its address.
    private static func next(_ links: LinkHeader) -> String? {
        links.next.flatMap { URLComponents(string: $0)?.queryItems?.first { $0.name == "max_id" }?.value }
    }
}
