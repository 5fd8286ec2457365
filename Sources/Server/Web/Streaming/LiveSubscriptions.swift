import FeedCore

/// A subscription that receives changes from the publisher.
struct LiveSubscription: Sendable {
    let subscription: StreamSubscription
    /// It receives the changes after this sequence number.
    let start: Int64
}

/// The live subscriptions that some changes may reach. Subscriptions of one account to one stream receive the same events.
struct LiveSubscriptions: Sendable {
    private struct Reader: Hashable {
        let stream: StreamName
        let account: Int64?
    }

    let all: [StreamSubscription]
    private let groups: [Reader: [LiveSubscription]]

    init(_ live: [LiveSubscription]) {
        all = live.map(\.subscription)
        groups = Dictionary(grouping: live) {
            Reader(stream: $0.subscription.stream, account: $0.subscription.subscriber.account)
        }
    }

    /// The events of a change, and the subscriptions that receive them.
    func receiving(_ recipients: ChangeRecipients) -> [StreamEventType: [StreamSubscription]] {
        var receiving: [StreamEventType: [StreamSubscription]] = [:]
        for (reader, live) in groups {
            for event in recipients.events(on: reader.stream, for: reader.account) {
                receiving[event, default: []] += live.lazy
                    .filter { recipients.change.sequence > $0.start && $0.subscription.subscriber.mayReceive(event) }
                    .map(\.subscription)
            }
        }
        return receiving.filter { !$0.value.isEmpty }
    }
}
