import FeedAPI
import FeedCore
import FeedFiles
import Hummingbird

extension FeedContext {
    /// A part of the path as text.
    /// - Throws: ``FeedError`` `.malformed` for a broken escape or bytes that are no UTF-8.
    func segment(_ name: String) throws -> String {
        guard let text = try parameters.require(name).removingStrictPercentEncoding else {
            throw FeedError.malformed("The address is malformed")
        }
        return text
    }

    /// A part of the path as an id; what is no id is nobody's.
    /// - Throws: ``FeedError`` `.notFound`.
    func id(_ name: String = "id") throws -> Int64 {
        guard let text = parameters.get(name), text.isDigits, let id = Int64(text)
        else {
            throw FeedError.notFound
        }
        return id
    }
}
