import FeedAPI
import FeedCore
import FeedStore

/// Reads and encodes the payloads of events. What does not depend on the viewer is encoded once.
struct EventPayloads: Sendable {
    let statuses: StatusStore
    let notifications: NotificationStore
    let conversations: ConversationStore
    let contexts: EntityContexts

    /// The payloads of an event. Subscriptions of accounts that may not see the payload are left out.
    func groups(
        of event: StreamEventType, _ change: Change, for subscriptions: [StreamSubscription]
    ) async throws -> [PayloadGroup] {
        switch event {
        case .update, .statusUpdate: try await statuses(change, subscriptions)
        case .delete: [PayloadGroup(data: Self.id(change), subscriptions: subscriptions)]
        case .filtersChanged, .resync: [PayloadGroup(data: Self.empty, subscriptions: subscriptions)]
        case .notification, .conversation: try await personal(event, change, subscriptions)
        }
    }

    static let empty = Array("{}".utf8)

    static func id(_ change: Change) -> [UInt8] { Array(String(change.subject ?? 0).utf8) }

    /// The context that a payload is encoded in, with the filters of the viewer.
    func entities(for subscription: StreamSubscription, _ event: StreamEventType) async throws -> EntityContext {
        let (subscriber, context) = (subscription.subscriber, subscription.stream.filterContext(of: event))
        var entities = contexts.make(base: subscriber.base)
        entities.filters = try await contexts.filters.of(subscriber.viewer, in: context)
        return entities
    }
}

extension EventPayloads {
    private struct Variant: Hashable {
        let base: String
        let own: StatusTemplate.OwnFields
    }

    private func statuses(
        _ change: Change, _ subscriptions: [StreamSubscription]
    ) async throws -> [PayloadGroup] {
        let viewers = Set(subscriptions.compactMap(\.subscriber.account))
        guard let id = change.subject,
            let shared = try await statuses.shared(id: id, among: viewers.sorted())
        else { return [] }
        let matches = try await matches(shared.status, for: subscriptions)
        var variants: [Variant: [StreamSubscription]] = [:]
        for subscription in subscriptions {
            let own = Self.ownFields(of: shared, subscription, matches)
            variants[Variant(base: subscription.subscriber.base, own: own), default: []].append(subscription)
        }
        var templates: [String: StatusTemplate] = [:]
        return variants.map { variant, subscriptions in
            let template =
                templates[variant.base] ?? StatusTemplate(shared.status, contexts.make(base: variant.base))
            templates[variant.base] = template
            return PayloadGroup(data: template.filled(with: variant.own), subscriptions: subscriptions)
        }
    }

    private static func ownFields(
        of shared: SharedStatus, _ subscription: StreamSubscription, _ matches: [FilterReader: [FilterMatch]]
    ) -> StatusTemplate.OwnFields {
        guard let viewer = subscription.subscriber.account, let reader = FilterReader(subscription)
        else { return .none }
        return StatusTemplate.OwnFields(shared.status(for: viewer), viewer: viewer, matches: matches[reader] ?? [])
    }
}

extension EventPayloads {
    /// The maximum number of accounts whose filters are read by one query, and are in memory at the same time.
    static let accountsPerQuery = 100

    /// An account, and where it sees a status.
    private struct FilterReader: Hashable {
        let account: Int64
        let context: Filter.Context

        /// - Returns: `nil` for an anonymous visitor, who has no filters.
        init?(_ subscription: StreamSubscription) {
            guard let account = subscription.subscriber.account else { return nil }
            (self.account, context) = (account, subscription.stream.filterContext(of: .update))
        }
    }

    /// The filters that match a status; readers without any are left out. The number of queries does not depend on the
    /// number of readers, except that each query is limited.
    private func matches(
        _ status: Status, for subscriptions: [StreamSubscription]
    ) async throws -> [FilterReader: [FilterMatch]] {
        let readers = Dictionary(grouping: Set(subscriptions.compactMap(FilterReader.init)), by: \.account)
        let now = contexts.filters.clock.now()
        var matchesOfReaders: [FilterReader: [FilterMatch]] = [:]
        for accounts in readers.keys.sorted().chunks(of: Self.accountsPerQuery) {
            for (account, filters) in try await contexts.filters.of(Array(accounts)) where !filters.isEmpty {
                for reader in readers[account] ?? [] {
                    let matches = filters.matches(status, in: reader.context, at: now)
                    if !matches.isEmpty { matchesOfReaders[reader] = matches }
                }
            }
        }
        return matchesOfReaders
    }
}

extension EventPayloads {
    /// Payloads that differ for each account.
    private func personal(
        _ event: StreamEventType, _ change: Change, _ subscriptions: [StreamSubscription]
    ) async throws -> [PayloadGroup] {
        struct Reader: Hashable {
            let account: Int64?
            let base: String
        }
        let groups = Dictionary(grouping: subscriptions) {
            Reader(account: $0.subscriber.account, base: $0.subscriber.base)
        }
        // Read together, so that they are cached for each payload.
        for accounts in Set(groups.keys.compactMap(\.account)).sorted().chunks(of: Self.accountsPerQuery) {
            _ = try await contexts.filters.of(Array(accounts))
        }
        var payloads: [PayloadGroup] = []
        for group in groups.values {
            guard let first = group.first, let data = try await personal(event, change, for: first) else { continue }
            payloads.append(PayloadGroup(data: data, subscriptions: group))
        }
        return payloads
    }

    /// The payload for one account; `nil` if the account may no longer see it.
    func personal(
        _ event: StreamEventType, _ change: Change, for subscription: StreamSubscription
    ) async throws -> [UInt8]? {
        guard let viewer = subscription.subscriber.viewer, let id = change.subject else { return nil }
        var json = JSONWriter(capacity: 4096)
        if event == .notification {
            let notification = try await notifications.notification(id: id, of: viewer.account.id)
            guard let notification else { return nil }
            json.notification(notification, try await entities(for: subscription, event), viewer: viewer)
        } else {
            let conversation = try await conversations.conversation(endingWith: id, of: viewer.account.id)
            guard let conversation else { return nil }
            json.conversation(conversation, try await entities(for: subscription, event), viewer: viewer)
        }
        return json.bytes
    }
}

extension StreamName {
    /// The context of the filters that mark the statuses in an event.
    func filterContext(of event: StreamEventType) -> Filter.Context {
        switch event {
        case .notification: .notifications
        case .conversation: .thread
        default:
            switch group {
            case .home, .notifications, .list: .home
            case .public, .hashtag: .public
            case .direct: .thread
            }
        }
    }
}
