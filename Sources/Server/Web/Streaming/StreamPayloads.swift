import FeedAPI
import FeedCore

/// Reads and encodes the payloads of events. What does not depend on the viewer is encoded once.
struct StreamPayloads: Sendable {
    let services: Services

    /// The payloads of an event. Subscriptions of accounts that may not see the payload are left out.
    func groups(
        of event: StreamEvent, _ change: Change, for subscriptions: [StreamSubscription]
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
    func entities(for subscription: StreamSubscription, _ event: StreamEvent) async throws -> EntityContext {
        let (subscriber, context) = (subscription.subscriber, subscription.stream.filterContext(of: event))
        var entities = services.entities(base: subscriber.base)
        entities.filters = try await services.filters(of: subscriber.viewer, in: context)
        return entities
    }
}

extension StreamPayloads {
    private struct Variant: Hashable {
        let base: String
        let own: StatusTemplate.OwnFields
    }

    private func statuses(
        _ change: Change, _ subscriptions: [StreamSubscription]
    ) async throws -> [PayloadGroup] {
        let viewers = Set(subscriptions.compactMap(\.subscriber.account))
        guard let id = change.subject,
            let shared = try await services.stores.statuses.shared(id: id, among: viewers.sorted())
        else { return [] }
        var variants: [Variant: [StreamSubscription]] = [:]
        for subscription in subscriptions {
            let own = try await ownFields(of: shared, subscription)
            variants[Variant(base: subscription.subscriber.base, own: own), default: []].append(subscription)
        }
        var templates: [String: StatusTemplate] = [:]
        return variants.map { variant, subscriptions in
            let template =
                templates[variant.base] ?? StatusTemplate(shared.status, services.entities(base: variant.base))
            templates[variant.base] = template
            return PayloadGroup(data: template.filled(with: variant.own), subscriptions: subscriptions)
        }
    }

    private func ownFields(
        of shared: SharedStatus, _ subscription: StreamSubscription
    ) async throws -> StatusTemplate.OwnFields {
        guard let viewer = subscription.subscriber.viewer else { return .none }
        let context = subscription.stream.filterContext(of: .update)
        let filters = try await services.filters(of: viewer, in: context)
        return StatusTemplate.OwnFields(
            shared.status(for: viewer.account.id), viewer: viewer.account.id, matches: filters.matches(shared.status))
    }
}

extension StreamPayloads {
    /// Payloads that differ for each account.
    private func personal(
        _ event: StreamEvent, _ change: Change, _ subscriptions: [StreamSubscription]
    ) async throws -> [PayloadGroup] {
        struct Reader: Hashable {
            let account: Int64?
            let base: String
        }
        let groups = Dictionary(grouping: subscriptions) {
            Reader(account: $0.subscriber.account, base: $0.subscriber.base)
        }
        var found: [PayloadGroup] = []
        for group in groups.values {
            guard let first = group.first, let data = try await personal(event, change, for: first) else { continue }
            found.append(PayloadGroup(data: data, subscriptions: group))
        }
        return found
    }

    /// The payload for one account; `nil` if the account may no longer see it.
    func personal(
        _ event: StreamEvent, _ change: Change, for subscription: StreamSubscription
    ) async throws -> [UInt8]? {
        guard let viewer = subscription.subscriber.viewer, let id = change.subject else { return nil }
        var json = JSONWriter(capacity: 4096)
        if event == .notification {
            let found = try await services.stores.notifications.notification(id: id, of: viewer.account.id)
            guard let found else { return nil }
            json.notification(found, try await entities(for: subscription, event), viewer: viewer)
        } else {
            let found = try await services.stores.conversations.conversation(
                endingWith: id, of: viewer.account.id)
            guard let found else { return nil }
            json.conversation(found, try await entities(for: subscription, event), viewer: viewer)
        }
        return json.bytes
    }
}

extension StreamName {
    /// The context of the filters that mark the statuses in an event.
    func filterContext(of event: StreamEvent) -> Filter.Context {
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
