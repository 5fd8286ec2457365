import AsyncHTTPClient
import FeedAPI

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
                newest: { try await notifications(count: $0, isGrouped: false) },
                page: { try await notifications(after: $0) }),
            count: count)
    }

    private func notifications(after id: String) async throws -> LiveSource<NotificationEntry>.Page {
        let response = try await transport.send(request(Paths.notifications, query: Self.query(after: id)))
        let entries = try elements(of: response, as: Entity.Notification.self).compactMap { element in
            element.value.map { NotificationEntry($0, json: element.json) }
        }
        return LiveSource.Page(entries: entries, next: Self.cursor(response))
    }
}
