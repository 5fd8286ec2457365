import Foundation

/// Bodies that end early, late or never.
extension Fault {
    /// The connection is closed after this many bytes of the body.
    static func cut(after bytes: Int, reset: Bool = false) -> Fault {
        ending { answer in answer.body.count > bytes ? .cut(after: bytes, reset: reset) : answer.ending }
    }

    static func stall(after bytes: Int) -> Fault {
        ending { answer in answer.body.count > bytes ? .stall(after: bytes) : answer.ending }
    }

    static let silence = ending { _ in .silence }

    /// An endless body without a declared length.
    static let endless = answering { answer, _, _ in
        (answer.framing, answer.ending) = (.chunked, .endless)
    }

    static let chunked = answering { answer, _, _ in answer.framing = .chunked }
    /// No length: the end of the connection delimits the body.
    static let closeDelimited = answering { answer, _, _ in answer.framing = .close }

    /// A Content-Length that differs from the length of the body by `bytes`.
    static func lengthIsOff(by bytes: Int) -> Fault {
        answering { answer, _, _ in answer["Content-Length"] = String(answer.body.count + bytes) }
    }

    /// The file in small pieces, with a pause in milliseconds after each.
    static func drip(_ piece: Int, pause: Int) -> Fault {
        answering { answer, _, _ in (answer.piece, answer.pause) = (piece, pause) }
    }

    /// One byte of the body is flipped; the length is right.
    static let flipsByte = answering { answer, _, _ in
        guard !answer.body.isEmpty else { return }
        answer.body = Data(answer.body)
        answer.body[answer.body.count / 2] ^= 1
    }
}
