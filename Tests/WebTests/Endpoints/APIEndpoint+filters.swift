import HTTPTypes

extension APIEndpoint {
    static let filters: [APIEndpoint] = [
        filter(.get, "/api/v2/filters", .list(.entity(.filter))),
        filter(.get, "/api/v1/filters", .list(.entity(.oldFilter))),
        filter(
            .post, "/api/v2/filters", .entity(.filter),
            form: "title=cats&context[]=home&context[]=thread&filter_action=hide&expires_in=3600"
                + "&keywords_attributes[][keyword]=cat&keywords_attributes[][whole_word]=false"
                + "&keywords_attributes[][keyword]=purr"),
        filter(.get, "/api/v2/filters/{filter}", .entity(.filter)),
        filter(
            .put, "/api/v2/filters/{filter}", .entity(.filter),
            form: "title=changed&keywords_attributes[0][id]={keyword}&keywords_attributes[0][keyword]=hello"),
        filter(.get, "/api/v2/filters/{filter}/keywords", .list(.entity(.filterKeyword))),
        filter(.post, "/api/v2/filters/{filter}/keywords", .entity(.filterKeyword), form: "keyword=dog"),
        filter(.get, "/api/v2/filters/keywords/{keyword}", .entity(.filterKeyword)),
        filter(
            .put, "/api/v2/filters/keywords/{keyword}", .entity(.filterKeyword), form: "keyword=edited&whole_word=0"),
        filter(.get, "/api/v2/filters/{filter}/statuses", .list(.entity(.filterStatus))),
        filter(.post, "/api/v2/filters/{filter}/statuses", .entity(.filterStatus), form: "status_id={reply}"),
        filter(.get, "/api/v2/filters/statuses/{entry}", .entity(.filterStatus)),
        filter(.delete, "/api/v2/filters/statuses/{entry}", .emptyObject),
        filter(
            .post, "/api/v1/filters", .entity(.oldFilter),
            form: "phrase=old&context[]=home&irreversible=true&whole_word=true&expires_in=60"),
        filter(.get, "/api/v1/filters/{keyword}", .entity(.oldFilter)),
        filter(.put, "/api/v1/filters/{oldkeyword}", .entity(.oldFilter), form: "phrase=new&context[]=public"),
        filter(.delete, "/api/v1/filters/{oldkeyword}", .emptyObject),
        filter(.delete, "/api/v2/filters/keywords/{keyword}", .emptyObject),
        filter(.delete, "/api/v2/filters/{filter}", .emptyObject),
    ]

    private static func filter(
        _ method: HTTPRequest.Method, _ path: String, _ shape: Shape, form: String? = nil
    ) -> APIEndpoint {
        .init(
            method, path, .person(scope: method == .get ? "read:filters" : "write:filters"), shape,
            form: form?.replacing("[", with: "%5B").replacing("]", with: "%5D"))
    }

    /// Endorsements, notes and familiar followers. bob follows ada and endorses her.
    static let acquaintances: [APIEndpoint] = [
        .init(
            .get, "/api/v1/endorsements", .person(scope: "read:accounts"), .list(.entity(.account)), viewer: "bob"),
        .init(
            .get, "/api/v1/accounts/{bob}/endorsements", .anyoneOr(scope: "read:accounts"), .list(.entity(.account))),
        .init(
            .get, "/api/v1/accounts/familiar_followers?id[]={ada}&id[]={cleo}", .person(scope: "read:follows"),
            .list(.entity(.familiarFollowers)), viewer: "bob"),
        endorsement("unpin"), endorsement("pin"), endorsement("unendorse"), endorsement("endorse"),
        .init(
            .post, "/api/v1/accounts/{dora}/note", .person(scope: "write:accounts"), .entity(.relationship),
            form: "comment=met+in+%3CBerlin%3E"),
    ]

    private static func endorsement(_ verb: String) -> APIEndpoint {
        .init(
            .post, "/api/v1/accounts/{ada}/" + verb, .person(scope: "write:accounts"), .entity(.relationship),
            viewer: "bob")
    }
}
