import { CANCEL, COMMAND_BYTES, DEFAULT_FLOW, WIDE_FLOW, IOC, makeFlow } from './flow.ts';
import { OrderBook } from 'nodejs-order-book';
for (const o of [DEFAULT_FLOW, WIDE_FLOW, DEFAULT_FLOW]) {
const flow = makeFlow(o);
const view = new DataView(flow.bytes.buffer);
const cmds:any[] = [];
for (let at=0; at<flow.bytes.length; at+=COMMAND_BYTES) {
  const k=view.getUint8(at), side=view.getUint8(at+1), id=view.getUint32(at+4,true), price=view.getUint32(at+8,true), size=view.getUint32(at+12,true);
  cmds.push(k===CANCEL ? String(id) : {id:String(id), side: side===0?'buy':'sell', price, size, timeInForce: k===IOC?'IOC':'GTC'});
}
const ob = new OrderBook();
const go=(a:number,b:number)=>{ for (let i=a;i<b;i++){ const c=cmds[i]; if (typeof c==='string') ob.cancel(c); else ob.limit(c);} };
go(0,flow.prefill);
(globalThis as any).gc();const t=process.hrtime.bigint();
go(flow.prefill, cmds.length);
const dt=Number(process.hrtime.bigint()-t)/1e9;
console.log('rival', (1e6/dt/1e6).toFixed(3),'M/s');
}
