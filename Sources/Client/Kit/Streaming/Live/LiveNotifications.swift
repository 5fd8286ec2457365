import AsyncHTTPClient
import FeedAPI
import Foundation

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

    private func waitingNotifications(count: Int) async throws -> [LiveSource<NotificationEntry>.Waiting] {
        var waiting: [LiveSource<NotificationEntry>.Waiting] = []
        try await readNotifications(count: count, isGrouped: false) { page in
            waiting += page.compactMap { entry in
                entry.json.map { LiveSource<NotificationEntry>.Waiting(id: entry.id, json: $0) }
            }
            return true
        }
        return waiting
    }

    private func notifications(after id: String) async throws -> LiveSource<NotificationEntry>.Page {
        let response = try await transport.send(request(Paths.notifications, query: Self.query(after: id)))
        let entries = try elements(of: response, as: Entity.Notification.self).compactMap { element in
            element.value.map { LiveSource<NotificationEntry>.Waiting(id: $0.id, json: element.json) }
        }
        return LiveSource.Page(entries: entries, next: response.links.previousMinID)
    }
}
