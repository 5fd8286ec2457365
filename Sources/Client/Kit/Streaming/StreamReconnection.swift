/// Decides how a stream is kept open: which method to use, when to reconnect, where to resume, and when the reader must
/// read the page again. ``StreamEvents`` performs the actions.
///
/// It never throws events away silently: a connection either resumes at the position after the last event, or is
/// followed by ``Action/resync``.
struct StreamReconnection {
    enum Method: Equatable, Sendable { case serverSentEvents, webSocket, polling }

    enum Action: Equatable, Sendable {
        /// Wait, then call ``waited()``.
        case wait(seconds: Double)
        /// Connect, then call ``opened(now:)`` or ``failed(_:position:reconnectionTime:_:)``.
        case connect(Method, position: String?)
        /// Tell the reader to read the page, and call ``resynced(jitter:)``.
        case resync
        /// Read the next event; call ``failed(_:position:reconnectionTime:_:)`` when that fails.
        case receive
        /// Throw the error; no further action follows.
        case fail
    }

    /// Seconds between two pages where the server offers no stream.
    static let pollingInterval = 15.0
    /// The longest pause between two attempts, in seconds, unless the server asks for more.
    static let maximumBackoff = 30.0
    /// The longest `Retry-After` that is honored, in seconds.
    static let maximumRetryAfter = 600
    /// A connection that lasted at least this many seconds was a success.
    static let successfulTime = 10.0
    /// After this many failures without any success, the next method is tried.
    static let maximumAttempts = 3

    private enum Phase: Equatable {
        case connecting
        case waiting(seconds: Double)
        /// Between two pages.
        case pausing(seconds: Double)
        case unsynced
        case receiving
        case failed
    }

    private var methods: [Method]
    private var phase: Phase
    private var position: String?
    private var openedAt: Double?
    /// Whether any connection has been opened.
    private var hasOpened = false
    /// Consecutive failures.
    private(set) var failures = 0

    /// - Parameter offersStream: Whether there is a stream at all; otherwise, pages are polled.
    init(offersStream: Bool = true, position: String? = nil) {
        methods = offersStream ? [.serverSentEvents, .webSocket, .polling] : [.polling]
        phase = offersStream ? .connecting : .unsynced
        self.position = position
    }

    private var method: Method { methods.first ?? .polling }

    var action: Action {
        switch phase {
        case .connecting: .connect(method, position: position)
        case .waiting(let seconds), .pausing(let seconds): .wait(seconds: seconds)
        case .unsynced: .resync
        case .receiving: .receive
        case .failed: .fail
        }
    }

    mutating func waited() {
        switch phase {
        case .pausing:
            failures = 0
            phase = .unsynced
        case .waiting: phase = method == .polling ? .unsynced : .connecting
        default: break
        }
    }

    /// - Parameter now: Seconds on a monotonic clock.
    mutating func opened(now: Double) {
        (openedAt, hasOpened) = (now, true)
        phase = position == nil ? .unsynced : .receiving
    }

    /// - Parameter jitter: A random number from 0 up to 1.
    mutating func resynced(jitter: Double) {
        phase =
            method == .polling ? .pausing(seconds: Self.pollingInterval * (1 + jitter / 4)) : .receiving
    }

    /// The connection could not be opened, or has ended.
    /// - Parameters:
    ///   - error: `nil` if the server has closed the connection.
    ///   - position: The position after the last event, if the connection was open.
    ///   - reconnectionTime: How long the server wants clients to wait, in milliseconds.
    mutating func failed(
        _ error: FeedClientError?, position: String? = nil, reconnectionTime: Int? = nil, _ moment: TimeSample
    ) {
        if openedAt != nil { self.position = position }
        // An event that cannot be read would be sent again.
        if let error, error.code == .failed, error.status == nil { self.position = nil }
        let lasted = openedAt.map { moment.now - $0 } ?? 0
        openedAt = nil
        failures = lasted >= Self.successfulTime ? 1 : min(failures + 1, 1000)
        if error?.code == .unreachable, !hasOpened {
            phase = .failed
        } else if method != .polling, isHopeless(error) {
            tryNextMethod()
        } else {
            wait(error, reconnectionTime, moment)
        }
    }

    /// Whether another method is more promising. A user who has just started to read does not wait for long.
    private func isHopeless(_ error: FeedClientError?) -> Bool {
        if let error, Self.isRefusal(error) { return true }
        return !hasOpened && (failures >= Self.maximumAttempts || error?.code == .tryLater)
    }

    /// The reader could not read the page after ``Action/resync``.
    mutating func resyncFailed(_ error: FeedClientError, _ moment: TimeSample) {
        (position, openedAt) = (nil, nil)
        failures = min(failures + 1, 1000)
        wait(error, nil, moment)
    }

    private mutating func tryNextMethod() {
        methods.removeFirst()
        (position, failures) = (nil, 0)
        phase = method == .polling ? .unsynced : .connecting
    }

    private mutating func wait(_ error: FeedClientError?, _ reconnectionTime: Int?, _ moment: TimeSample) {
        let pause = Self.pause(
            after: error, failures: failures, reconnectionTime: reconnectionTime ?? 0, jitter: moment.jitter)
        phase = .waiting(seconds: pause)
    }

    /// The pause before the next attempt, in seconds: the time that the server asks for, and a random one whose bound
    /// doubles with each failure.
    static func pause(
        after error: FeedClientError?, failures: Int, reconnectionTime: Int = 0, jitter: Double
    ) -> Double {
        let requested = max(
            Double(max(0, reconnectionTime)) / 1000, Double(max(0, min(error?.retryAfter ?? 0, maximumRetryAfter))))
        return requested + jitter * min(maximumBackoff, Double(1 << min(max(0, failures - 1), 10)))
    }

    /// Whether the server does not offer the stream in this way, or not to this account. Polling tells whether the
    /// account may read anything at all.
    private static func isRefusal(_ error: FeedClientError) -> Bool {
        guard let status = error.status else { return false }
        return status == 501 || status == 505 || (status < 500 && ![408, 425, 429].contains(status))
    }
}
