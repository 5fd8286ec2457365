import FeedAPI
import Foundation

/// An element of a list, decoded and as the server sent it.
struct ListElement<Value: Decodable & Sendable>: Sendable {
    private struct Named: Decodable {
        let id: String?

        private enum Key: String, CodingKey { case id }

        init(from decoder: any Decoder) {
            let fields = try? decoder.container(keyedBy: Key.self)
            let number = (try? fields?.decode(Int64.self, forKey: .id)).map { String($0) }
            id = number ?? (try? fields?.decode(String.self, forKey: .id))
        }
    }

    /// `nil` if the element cannot be decoded.
    let value: Value?
    let json: [UInt8]

    /// Its id, also if the rest cannot be decoded.
    var id: String? { (try? JSONDecoder().decode(Named.self, from: Data(json)))?.id }
}

extension FeedClient {
    /// The elements of the list in a response. Those that cannot be decoded are reported.
    /// - Throws: ``FeedClientError`` `.failed` if the body is not a list.
    func elements<Value>(of response: Response, as type: Value.Type) throws -> [ListElement<Value>] {
        let values = try decode([Tolerant<Value>].self, response)
        let texts = JSONText.elements(of: response.bytes)
        guard texts.count == values.count else {
            throw FeedClientError(.failed, "The server's response could not be understood")
        }
        return zip(values, texts).map { ListElement(value: $0.value, json: Array($1)) }
    }

    /// The content of a response. Faulty parts that can be left out are reported.
    func decode<Value: Decodable>(_ type: Value.Type, _ response: Response) throws -> Value {
        let skipped = SkippedEntities()
        defer { for entity in skipped.all { onSkip?(entity) } }
        return try SkippedEntities.$current.withValue(skipped) { try response.decode(type) }
    }
}
