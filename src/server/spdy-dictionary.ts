/**
 * What the headers of SPDY 3.1 are compressed against: names and values, each with its length before it, and text.
 * Source: github.com/moby/spdystream/spdy/dictionary.go.
 */
export function headerDictionary(): Buffer {
  return Buffer.concat([...WORDS.split(',').flatMap((word) => [lengthOf(word), Buffer.from(word)]), Buffer.from(TEXT)]);
}

function lengthOf(word: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(word.length);
  return length;
}

const WORDS =
  'options,head,post,put,delete,trace,accept,accept-charset,accept-encoding,accept-language,accept-ranges,age,allow,authorizatio' +
  'n,cache-control,connection,content-base,content-encoding,content-language,content-length,content-location,content-md5,content' +
  '-range,content-type,date,etag,expect,expires,from,host,if-match,if-modified-since,if-none-match,if-range,if-unmodified-since,' +
  'last-modified,location,max-forwards,pragma,proxy-authenticate,proxy-authorization,range,referer,retry-after,server,te,trailer' +
  ',transfer-encoding,upgrade,user-agent,vary,via,warning,www-authenticate,method,get,status,200 OK,version,HTTP/1.1,url,public,' +
  'set-cookie,keep-alive,origin';

const TEXT =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information20' +
  '4 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Im' +
  'plemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, ' +
  'GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicpri' +
  'vatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';
