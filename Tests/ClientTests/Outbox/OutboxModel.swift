@testable import FeedClientKit

/// A server to which requests may arrive, not arrive, or arrive late, and whose responses may be lost.
struct OutboxModelServer {
    /// The longest time in milliseconds that a request takes to arrive.
    static let longestDelay: Int64 = 60_000

    let honorsKeys: Bool
    /// Whether a posted status is found among those of the account; servers may change texts.
    let isRecognizable: Bool
    private(set) var posts = 0
    private var keyTime: Int64?
    /// The times at which delayed requests arrive.
    private var delayed: [Int64] = []

    init(honorsKeys: Bool, isRecognizable: Bool) {
        (self.honorsKeys, self.isRecognizable) = (honorsKeys, isRecognizable)
    }

    var hasDelayed: Bool { !delayed.isEmpty }
    var isFound: Bool { isRecognizable && posts > 0 }

    mutating func delay(until time: Int64) { delayed.append(time) }

    /// Processes the requests that have arrived by now.
    mutating func advance(to now: Int64) {
        for time in delayed.filter({ $0 <= now }).sorted() { receive(at: time) }
        delayed.removeAll { $0 <= now }
    }

    /// Whether a request with the key is answered with the status that exists.
    func remembers(at now: Int64) -> Bool {
        honorsKeys && (keyTime.map { now - $0 < OutboxDelivery.keyLifetime } ?? false)
    }

    mutating func receive(at now: Int64) {
        guard !remembers(at: now) else { return }
        posts += 1
        keyTime = now
    }
}

/// A machine on which feedclient is killed at any point, and started again.
struct OutboxModelClient {
    private struct Killed: Error {}

    var server: OutboxModelServer
    var now: Int64 = 1_700_000_000_000
    /// The state on the disk; `nil` once the entry has been removed.
    private(set) var stored: OutboxState? = .new
    /// The probability of a kill at each point, and of each failure of the network, in percent.
    var risk = 30

    init(_ server: OutboxModelServer) { self.server = server }

    /// Runs a command that sends the entry.
    mutating func run(_ trigger: OutboxTrigger, _ random: inout some RandomNumberGenerator) {
        server.advance(to: now)
        guard let state = stored else { return }
        do {
            try perform(OutboxDelivery(state, trigger), &random)
        } catch {
            // The process is gone; what it has stored remains.
        }
    }

    private func happens(_ random: inout some RandomNumberGenerator) -> Bool {
        Int.random(in: 0..<100, using: &random) < risk
    }

    private func survive(_ random: inout some RandomNumberGenerator) throws {
        if happens(&random) { throw Killed() }
    }

    private mutating func perform(
        _ start: OutboxDelivery, _ random: inout some RandomNumberGenerator
    ) throws {
        var (delivery, action) = (start, start.firstAction)
        while true {
            try survive(&random)
            switch action {
            case .identifyServer:
                if happens(&random) { return }
                action = delivery.identified(honorsKeys: server.honorsKeys, now: now)
            case .search:
                if happens(&random) { return }
                action = delivery.searched(found: server.isFound)
                if delivery.isDelivered { return try remove(&random) }
            case .send:
                delivery.begin(mediaIDs: [], now: now)
                try survive(&random)
                stored = delivery.state
                try survive(&random)
                delivery.end(request(&random))
                try survive(&random)
                if delivery.isDelivered { return try remove(&random) }
                action = .finish
            case .finish:
                stored = delivery.state
                return
            }
        }
    }

    private mutating func remove(_ random: inout some RandomNumberGenerator) throws {
        try survive(&random)
        stored = nil
    }

    private mutating func request(_ random: inout some RandomNumberGenerator) -> OutboxDelivery.Outcome {
        if happens(&random) { return .notProcessed }
        if happens(&random) { return .unknown }
        if happens(&random) {
            server.delay(until: now + Int64.random(in: 1...OutboxModelServer.longestDelay, using: &random))
            return .unknown
        }
        if happens(&random), !server.remembers(at: now) { return .refused(message: "no") }
        server.receive(at: now)
        return happens(&random) ? .unknown : .delivered
    }
}
