import Foundation

/// The expected shape of a JSON value.
indirect enum Shape: Sendable {
    case text
    /// A text of digits, as all ids of this server are.
    case id
    /// A non-negative integer as text.
    case digits
    /// `2024-01-31T23:59:59.999Z`.
    case time
    /// `2024-01-31`.
    case day
    /// An absolute http or https URL.
    case address
    case webSocket
    case flag
    case integer
    /// A non-negative integer.
    case count
    case word([String])
    case null
    case anyNumber
    case emptyObject
    case anyObject
    case orNull(Shape)
    case list(Shape)
    case emptyList
    case object([String: Field])
    case entity(EntityShape)

    /// A member of an object.
    struct Field: Sendable {
        enum Presence: Sendable {
            case always, sometimes
            /// Present if and only if the request had a token.
            case withToken
        }

        let shape: Shape
        let presence: Presence

        static func must(_ shape: Shape) -> Field { Field(shape: shape, presence: .always) }
        static func may(_ shape: Shape) -> Field { Field(shape: shape, presence: .sometimes) }
        static func own(_ shape: Shape) -> Field { Field(shape: shape, presence: .withToken) }
    }
}
