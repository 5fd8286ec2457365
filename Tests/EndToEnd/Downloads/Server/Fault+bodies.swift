import Foundation

/// Bodies that end early, late or never.
extension Fault {
    /// The connection is closed after this many bytes of the body.
    static func cut(after bytes: Int, reset: Bool = false) -> Fault {
        ending { response in response.body.count > bytes ? .cut(after: bytes, reset: reset) : response.ending }
    }

    static func stall(after bytes: Int) -> Fault {
        ending { response in response.body.count > bytes ? .stall(after: bytes) : response.ending }
    }

    static let silence = ending { _ in .silence }

    /// An endless body without a declared length.
    static let endless = changingResponse { response, _, _ in
        (response.framing, response.ending) = (.chunked, .endless)
    }

    static let chunked = changingResponse { response, _, _ in response.framing = .chunked }
    /// No length: the end of the connection delimits the body.
    static let closeDelimited = changingResponse { response, _, _ in response.framing = .close }

    /// A Content-Length that differs from the length of the body by `bytes`.
    static func lengthIsOff(by bytes: Int) -> Fault {
        changingResponse { response, _, _ in response["Content-Length"] = String(response.body.count + bytes) }
    }

    /// The file in small pieces, with a pause in milliseconds after each.
    static func drip(_ piece: Int, pause: Int) -> Fault {
        changingResponse { response, _, _ in (response.piece, response.pause) = (piece, pause) }
    }

    /// One byte of the body is flipped; the length is right.
    static let flipsByte = changingResponse { response, _, _ in
        guard !response.body.isEmpty else { return }
        response.body = Data(response.body)
        response.body[response.body.count / 2] ^= 1
    }
}
