import FeedAPI
import FeedCore

/// The parameters that hold a whole number, by their names on the wire. Numbers are read in no other way, so that a test
/// can send each of them, up to and past the ends of every type, to every endpoint.
enum IntegerParameter: String, CaseIterable {
    case limit, offset, id, duration
    case maxID = "max_id"
    case sinceID = "since_id"
    case minID = "min_id"
    case accountID = "account_id"
    case inReplyToID = "in_reply_to_id"
    case homeLastReadID = "home[last_read_id]"
    case notificationsLastReadID = "notifications[last_read_id]"
}

extension InputValues {
    /// An id; empty means missing. A number larger than any id is read as the largest one.
    /// - Throws: ``FeedError`` `.malformed` unless it consists of digits.
    func id(_ parameter: IntegerParameter) throws(FeedError) -> Int64? {
        guard let text = self[parameter.rawValue], !text.isEmpty else { return nil }
        guard text.isDigits else { throw .malformed("\(parameter.rawValue) is not an id") }
        return Int64(text) ?? .max
    }

    /// A list of ids, of which at most `limit` are read; anything that is not an id names nothing and is left out.
    func ids(_ parameter: IntegerParameter, limit: Int) -> [Int64] {
        all(parameter.rawValue).prefix(limit).compactMap { Int64($0) }
    }

    /// How many entries are wanted: at least 1, at most `maximum`; `standard` where it is missing or not a number.
    func count(_ parameter: IntegerParameter, standard: Int, maximum: Int, minimum: Int = 1) -> Int {
        let wanted = self[parameter.rawValue].flatMap { Int($0) } ?? standard
        return max(minimum, min(wanted, maximum))
    }

    /// A whole number within `range`; `nil` where it is missing or empty.
    /// - Throws: ``FeedError`` `.invalid` with `message` for anything else.
    func integer(
        _ parameter: IntegerParameter, in range: ClosedRange<Int64>, _ message: String
    ) throws(FeedError) -> Int64? {
        guard let text = self[parameter.rawValue], !text.isEmpty else { return nil }
        guard let number = Int64(text), range.contains(number) else { throw .invalid(message) }
        return number
    }
}
