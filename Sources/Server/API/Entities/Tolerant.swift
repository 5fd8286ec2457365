/// An element of a list that may be faulty, so that one faulty element does not make the whole list unreadable.
public struct Tolerant<Value: Decodable & Sendable>: Decodable, Sendable {
    /// `nil` if the element cannot be decoded.
    public let value: Value?

    /// Reports a faulty element to ``SkippedEntities/current``.
    /// - Throws: `DecodingError` only after many faulty elements, because each of them costs time.
    public init(from decoder: any Decoder) throws {
        let skipped = SkippedEntities.current
        let count = skipped?.count ?? 0
        guard count < SkippedEntities.maximum else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Too many faulty elements."))
        }
        do {
            value = try Value(from: decoder)
        } catch {
            value = nil
            skipped?.append(SkippedEntity("\(Value.self)", error, decoder), after: count)
        }
    }
}

extension KeyedDecodingContainer {
    /// A value, or `standard` if it is missing or `null`.
    func value<Value: Decodable>(_ key: Key, or standard: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? standard
    }

    /// An id: a text, or a number on some servers.
    func id(_ key: Key) throws -> String {
        if let number = try? decode(Int64.self, forKey: key) { return String(number) }
        return try decode(String.self, forKey: key)
    }

    /// An id; `nil` if it is missing or `null`.
    func idIfPresent(_ key: Key) throws -> String? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try id(key)
    }

    /// The elements of a list that can be decoded; `nil` if the list is missing or `null`.
    func list<Element: Decodable & Sendable>(_ key: Key) throws -> [Element]? {
        try decodeIfPresent([Tolerant<Element>].self, forKey: key)?.compactMap(\.value)
    }

    /// A value that stands in for another one.
    /// - Throws: `DecodingError.keyNotFound` if it is missing.
    func required<Value>(_ value: Value?, _ key: Key) throws -> Value {
        guard let value else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "A required member is missing."))
        }
        return value
    }
}
