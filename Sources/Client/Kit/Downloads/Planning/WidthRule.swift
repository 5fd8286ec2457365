/// How many connections one host gets: twice as many as long as that brings at least 15 % more, and all at once where the
/// way is long. Pure.
struct WidthRule: Sendable {
    static let maximum = 8
    /// Seconds over which a rate is measured.
    static let window = 1.0
    /// What more connections must bring.
    static let gain = 1.15
    /// Who needs so many seconds for the first answer is far away.
    static let far = 0.04
    /// Seconds without a new try after one that brought nothing; doubled each time, up to a minute.
    static let firstRest = 10.0
    static let longestRest = 60.0
    /// The same after the server asked for less.
    static let restAfterRefusal = 30.0

    /// Connections allowed.
    private(set) var width = 1
    /// The last width that was worth it, and what it brought per second.
    private var proven = 1
    private var base: Double?
    private var restsUntil = 0.0
    private var rest = firstRest
    private var start: (time: Double, bytes: Int64)?

    /// - Parameters:
    ///   - now: Seconds on any clock that only goes forward.
    ///   - bytes: All that ever came from the host.
    ///   - active: Connections that bring something.
    mutating func observe(now: Double, bytes: Int64, active: Int) {
        guard now >= restsUntil, active >= width else {
            start = nil
            return
        }
        guard let start else {
            self.start = (now, bytes)
            return
        }
        guard now - start.time >= Self.window else { return }
        self.start = nil
        judge(Double(bytes - start.bytes) / (now - start.time), now)
    }

    /// A connection's first answer has come. From far away each connection is slow to get going (TCP's slow start),
    /// and to try one width after the other would take longer than the file.
    /// - Parameter seconds: Since it was asked for, with setting up the connection.
    mutating func answered(after seconds: Double) {
        guard seconds >= Self.far, base == nil, restsUntil == 0 else { return }
        width = Self.maximum
    }

    /// The server asked for less.
    mutating func throttled(now: Double) {
        width = max(1, width / 2)
        proven = width
        (base, start) = (nil, nil)
        restsUntil = max(restsUntil, now + Self.restAfterRefusal)
    }

    private mutating func judge(_ rate: Double, _ now: Double) {
        if let base, width > proven, rate < base * Self.gain {
            width = proven
            self.base = nil
            restsUntil = now + rest
            rest = min(Self.longestRest, rest * 2)
            return
        }
        base = rate
        proven = width
        width = min(Self.maximum, width * 2)
        if width == proven { restsUntil = now + rest }
    }
}
